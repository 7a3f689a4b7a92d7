import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can fall silent: connections stay open, and nothing passes any more. */
interface SilentProxy {
  readonly url: string;
  /** From now on nothing that arrives is passed on, either way. New connections are accepted. */
  silence(): void;
  /** New connections pass again; the silent ones stay silent. */
  speak(): void;
  close(): Promise<void>;
}

export const silentProxy = async (target: string): Promise<SilentProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const passing = new Set<Socket>();
  let silent = false;

  const server = createServer((near) => {
    const far = connect(Number(port || "5432"), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      if (!silent) passing.add(socket);
      socket.on("data", (chunk) => {
        if (passing.has(socket)) other.write(chunk);
      });
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        if (passing.has(socket)) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = typeof address === "object" && address !== null ? address.port.toString() : "";

  return {
    url: url.href,
    silence: () => {
      silent = true;
      passing.clear();
    },
    speak: () => {
      silent = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
