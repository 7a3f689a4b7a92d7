/** The one account and database of an embedded cluster, and the name of its socket. */
export const USER = "qiju";
export const DATABASE = "postgres";
export const PORT = 5432;

/**
 * Settings of the server, on its command line so that a cluster of an older release gets them too.
 *
 * No statement and no parameter is ever logged: they carry secrets. Errors go to the client that made
 * them and nowhere else.
 */
export const settings = (runtime: string, clusterName: string): readonly string[] =>
  [
    "listen_addresses=",
    `unix_socket_directories=${runtime}`,
    "unix_socket_permissions=0700",
    `port=${PORT}`,
    `cluster_name=${clusterName}`,
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "max_connections=50",
    "shared_buffers=128MB",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_logical_replication_workers=0",
    "max_wal_size=256MB",
    "min_wal_size=32MB",
    "io_method=sync",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "lc_messages=C",
    "logging_collector=off",
    "log_destination=stderr",
    "log_line_prefix=",
    "log_checkpoints=off",
    "log_min_messages=log",
    "log_min_error_statement=panic",
  ].flatMap((setting) => ["-c", setting]);
