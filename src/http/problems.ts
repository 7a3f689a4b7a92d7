import type { ServiceCode } from "../application/failure.ts";

// Every error that a client can meet, and all its texts. Adding a code here is the only way to add one.
// `{fact}` in a detail stands for a fact of the occurrence.

/** A text in the languages that the service speaks. */
export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

interface ProblemEntry {
  readonly status: number;
  readonly title: Bilingual;
  /** What is to be said of an occurrence. */
  readonly detail: Bilingual;
}

export const PROBLEMS = {
  "malformed-request": {
    status: 400,
    title: { en: "The request is malformed", zh: "请求格式有误" },
    detail: {
      en: "The request does not have the shape that the operation takes; `errors` says where.",
      zh: "请求不符合该操作要求的格式，错误位置见 errors。",
    },
  },
  "malformed-http": {
    status: 400,
    title: { en: "This is not HTTP", zh: "不是有效的 HTTP 请求" },
    detail: { en: "The request could not be parsed.", zh: "无法解析请求。" },
  },
  "request-timeout": {
    status: 408,
    title: { en: "The request came too slowly", zh: "请求过慢" },
    detail: {
      en: "The headers must arrive within 5 seconds, the whole request within 10.",
      zh: "请求头须在 5 秒内、整个请求须在 10 秒内送达。",
    },
  },
  "headers-too-large": {
    status: 431,
    title: { en: "The headers are too large", zh: "请求头过大" },
    detail: { en: "All headers together have at most 8 kB.", zh: "请求头总共最多 8 kB。" },
  },
  "token-missing": {
    status: 401,
    title: { en: "A token is needed", zh: "需要令牌" },
    detail: {
      en: "Send the token as `Authorization: Bearer …`.",
      zh: "请以 Authorization: Bearer … 发送令牌。",
    },
  },
  "token-unknown": {
    status: 401,
    title: { en: "The token is not known here", zh: "令牌无效" },
    detail: {
      en: "The token is mistyped, not sent as `Bearer …`, no longer valid, or belongs to another match.",
      zh: "令牌输入有误、未以 Bearer 形式发送、已失效或属于另一场对局。",
    },
  },
  "not-allowed": {
    status: 403,
    title: { en: "The token is not for this", zh: "令牌无此权限" },
    detail: {
      en: "A seat's token acts for its seat, an invite only claims one, and an app's key acts for no seat.",
      zh: "座位令牌只能代表其座位行动，邀请码只能用来入座，应用密钥不能代替座位行动。",
    },
  },
  "scope-missing": {
    status: 403,
    title: { en: "The app's key has no such scope", zh: "应用密钥缺少权限" },
    detail: {
      en: "The key needs the scope `{scope}`; who runs the service makes keys.",
      zh: "密钥需要权限 {scope}，密钥由服务的运营者创建。",
    },
  },
  "route-not-found": {
    status: 404,
    title: { en: "There is nothing here", zh: "没有这个地址" },
    detail: {
      en: "No operation has this path; see /docs.",
      zh: "没有任何操作使用该路径，见 /docs。",
    },
  },
  "game-not-found": {
    status: 404,
    title: { en: "No such game", zh: "没有这个游戏" },
    detail: { en: "The games are listed at /v1/games.", zh: "游戏列表见 /v1/games。" },
  },
  "match-not-found": {
    status: 404,
    title: { en: "No such match", zh: "没有这场对局" },
    detail: {
      en: "The id is unknown, or the match is private and the token is not one of its own.",
      zh: "对局编号不存在，或对局为私密且令牌不属于该对局。",
    },
  },
  "player-not-found": {
    status: 404,
    title: { en: "No such player", zh: "没有这位玩家" },
    detail: {
      en: "The app has never seated a player of this reference.",
      zh: "该应用从未安排过这个编号的玩家入座。",
    },
  },
  "problem-not-found": {
    status: 404,
    title: { en: "No such problem", zh: "没有这种错误" },
    detail: { en: "The codes are listed at /problems.", zh: "错误代码见 /problems。" },
  },
  "method-not-allowed": {
    status: 405,
    title: { en: "The path does not take this method", zh: "该地址不支持此方法" },
    detail: { en: "`Allow` lists the methods that it takes.", zh: "可用的方法见 Allow 头。" },
  },
  "not-your-turn": {
    status: 409,
    title: { en: "It is not this seat's turn", zh: "还没轮到你" },
    detail: { en: "Seat {seat} is not to act now.", zh: "现在不该座位 {seat} 行动。" },
  },
  "wrong-phase": {
    status: 409,
    title: { en: "The command does not fit the phase", zh: "当前阶段不能这样做" },
    detail: {
      en: "`{command}` cannot be done in phase `{phase}`; the view's `legal` says what can.",
      zh: "在阶段 {phase} 不能执行 {command}，可用的命令见视图的 legal。",
    },
  },
  "match-over": {
    status: 409,
    title: { en: "The match is over", zh: "对局已结束" },
    detail: {
      en: "A match that is over takes no commands; a flag that falls ends it too.",
      zh: "已结束的对局不再接受命令；超时也会结束对局。",
    },
  },
  "match-not-begun": {
    status: 409,
    title: { en: "The match has not begun", zh: "对局尚未开始" },
    detail: {
      en: "A seat is still open: it is claimed with its invite.",
      zh: "还有空座，须用邀请码入座。",
    },
  },
  "seat-taken": {
    status: 409,
    title: { en: "The seat is taken", zh: "座位已被占用" },
    detail: {
      en: "The invite has been used; it claims one seat, once.",
      zh: "邀请码已被使用，只能使用一次。",
    },
  },
  "no-reply-owed": {
    status: 409,
    title: { en: "No engine is on turn", zh: "没有轮到引擎" },
    detail: { en: "It is a human's turn.", zh: "现在轮到真人。" },
  },
  "match-not-over": {
    status: 409,
    title: { en: "The match is not over", zh: "对局尚未结束" },
    detail: {
      en: "A match is analysed once it has ended. Until then, ask for a hint on your turn.",
      zh: "对局结束后才能分析。在此之前，轮到你时可以请求提示。",
    },
  },
  "nudge-not-offered": {
    status: 409,
    title: { en: "The match has no nudge", zh: "本局不能催促" },
    detail: {
      en: "The match was opened without the option `nudgeAfterSeconds`.",
      zh: "开局时没有设置选项 nudgeAfterSeconds。",
    },
  },
  "not-nudgeable": {
    status: 409,
    title: { en: "There is nobody to nudge", zh: "没有可催促的人" },
    detail: {
      en: "A nudge is for a human seat that seat {seat} waits for, and it waits for none.",
      zh: "只能催促座位 {seat} 正在等待的真人，而它没有在等待任何人。",
    },
  },
  "already-nudged": {
    status: 409,
    title: { en: "The seat has been nudged already", zh: "已经催促过" },
    detail: {
      en: "Seat {seat} loses unless it acts by {deadline}.",
      zh: "座位 {seat} 须在 {deadline} 之前行动，否则判负。",
    },
  },
  "nudge-too-early": {
    status: 409,
    title: { en: "It is too early for a nudge", zh: "还不能催促" },
    detail: {
      en: "Seat {seat} may be nudged from {possibleAt} on.",
      zh: "{possibleAt} 起才能催促座位 {seat}。",
    },
  },
  "version-conflict": {
    status: 409,
    title: { en: "Others were faster, several times", zh: "多次被其他请求抢先" },
    detail: {
      en: "Nothing was done. Read the match and try again.",
      zh: "未做任何改动，请重新读取对局后再试。",
    },
  },
  "other-dice": {
    status: 409,
    title: { en: "The play is meant for another roll", zh: "走法对应的骰子不符" },
    detail: { en: "The dice are {dice}.", zh: "现在的骰子是 {dice}。" },
  },
  "version-needed": {
    status: 428,
    title: { en: "Say which roll the play is for", zh: "请说明走法对应哪次掷骰" },
    detail: {
      en: "The match rolls by itself, so a play without `If-Match` must have `dice` or `resultingPositionId`: a retry could play twice.",
      zh: "本场比赛自动掷骰，未带 If-Match 的走法必须给出 dice 或 resultingPositionId，否则重试可能会走两次。",
    },
  },
  "stale-version": {
    status: 412,
    title: { en: "The match has moved on", zh: "对局已有变化" },
    detail: { en: "The match is at version {version}.", zh: "对局现在的版本是 {version}。" },
  },
  "body-too-large": {
    status: 413,
    title: { en: "The body is too large", zh: "请求体过大" },
    detail: { en: "A body has at most {bytesMax} bytes.", zh: "请求体最多 {bytesMax} 字节。" },
  },
  "media-type-not-supported": {
    status: 415,
    title: { en: "The body is not JSON", zh: "请求体不是 JSON" },
    detail: {
      en: "Send `Content-Type: application/json`, UTF-8, without Content-Encoding.",
      zh: "请使用 Content-Type: application/json、UTF-8，且不要使用 Content-Encoding。",
    },
  },
  "play-not-legal": {
    status: 422,
    title: { en: "The play is not legal", zh: "走法不合规则" },
    detail: {
      en: "{reason}: `legalPlays` lists what is legal.",
      zh: "{reason}：合法走法见 legalPlays。",
    },
  },
  "cube-not-available": {
    status: 422,
    title: { en: "The cube cannot be turned", zh: "不能加倍" },
    detail: { en: "{reason}.", zh: "{reason}。" },
  },
  "resignation-not-higher": {
    status: 422,
    title: { en: "Such a resignation was refused", zh: "该认输已被拒绝" },
    detail: {
      en: "The opponent has refused to take a {value} in this turn; only more can be offered.",
      zh: "对方本回合已拒绝该价值（{value}）的认输，只能提出更高的价值。",
    },
  },
  "file-not-readable": {
    status: 422,
    title: { en: "The file cannot be read", zh: "无法读懂该文件" },
    detail: {
      en: "Line {line}: {reason}. Nothing was imported.",
      zh: "第 {line} 行：{reason}。没有导入任何内容。",
    },
  },
  "file-not-playable": {
    status: 422,
    title: { en: "The file's match is not by the rules", zh: "文件中的对局不合规则" },
    detail: {
      en: "Game {game}, action {action} (0: its start or end): {reason}. Nothing was imported.",
      zh: "第 {game} 局第 {action} 步（0 表示开局或终局）：{reason}。没有导入任何内容。",
    },
  },
  "file-cannot-say": {
    status: 422,
    title: { en: "The format cannot say this match", zh: "该格式无法记录这场对局" },
    detail: { en: "{reason}.", zh: "{reason}。" },
  },
  "game-has-no-files": {
    status: 422,
    title: { en: "The game has no files", zh: "该游戏没有文件格式" },
    detail: {
      en: "No format of other programs is known for it.",
      zh: "没有已知的其他程序的文件格式。",
    },
  },
  "game-has-no-adviser": {
    status: 422,
    title: { en: "Nobody advises in this game", zh: "该游戏没有参谋" },
    detail: {
      en: "The game's engines play, but give neither hints nor analyses.",
      zh: "该游戏的引擎只下棋，不提供提示和分析。",
    },
  },
  "malformed-command": {
    status: 422,
    title: { en: "The game has no such command", zh: "没有这样的命令" },
    detail: { en: "`errors` says what is wrong where.", zh: "错误位置见 errors。" },
  },
  "malformed-options": {
    status: 422,
    title: { en: "The game has no such options", zh: "没有这样的选项" },
    detail: { en: "`errors` says what is wrong where.", zh: "错误位置见 errors。" },
  },
  "game-unknown": {
    status: 422,
    title: { en: "The game is not known", zh: "未知的游戏" },
    detail: { en: "Known games: {games}.", zh: "可用的游戏：{games}。" },
  },
  "variant-unknown": {
    status: 422,
    title: { en: "The variant is not known", zh: "未知的变体" },
    detail: { en: "The game's variants: {variants}.", zh: "该游戏的变体：{variants}。" },
  },
  "engine-level-unknown": {
    status: 422,
    title: { en: "The engine level is not known", zh: "未知的引擎级别" },
    detail: {
      en: "Seat {seat} asks for `{level}`; the levels are {levels}.",
      zh: "座位 {seat} 要求 {level}，可用级别：{levels}。",
    },
  },
  "seats-not-possible": {
    status: 422,
    title: { en: "The game is not played by so many", zh: "座位数不符" },
    detail: {
      en: "The game has {seatsMin} to {seatsMax} seats.",
      zh: "该游戏需要 {seatsMin} 到 {seatsMax} 个座位。",
    },
  },
  "private-for-nobody": {
    status: 422,
    title: { en: "Nobody could see the match", zh: "没有人能看到这场对局" },
    detail: {
      en: "A private match needs a human or an open seat: only its tokens can see it.",
      zh: "私密对局至少需要一个真人或空座，只有持其令牌者可见。",
    },
  },
  "player-needs-app-key": {
    status: 422,
    title: { en: "Only an app seats players", zh: "只有应用可以指定玩家" },
    detail: {
      en: "`player` is an app's own word for somebody: send the app's key.",
      zh: "player 是应用自己的玩家编号，须使用应用密钥。",
    },
  },
  "player-twice": {
    status: 422,
    title: { en: "Nobody plays against themselves", zh: "不能与自己对局" },
    detail: {
      en: "The player `{player}` is in two seats.",
      zh: "玩家 {player} 占了两个座位。",
    },
  },
  "seat-has-no-token": {
    status: 422,
    title: { en: "The seat has no token", zh: "该座位没有令牌" },
    detail: {
      en: "Name as `seat` one that a human holds: {seats}.",
      zh: "请在 seat 中指定真人座位：{seats}。",
    },
  },
  "position-not-readable": {
    status: 422,
    title: { en: "The position cannot be read", zh: "无法读取局面" },
    detail: {
      en: "The {notation} is not well formed: {reason}.",
      zh: "{notation} 格式有误：{reason}。",
    },
  },
  "position-not-playable": {
    status: 422,
    title: { en: "The position cannot be played", zh: "局面无法继续" },
    detail: {
      en: "The position is not one of a game in play: {reason}.",
      zh: "该局面不成立：{reason}。",
    },
  },
  "dice-contradict": {
    status: 422,
    title: { en: "The position says another roll", zh: "骰子与局面不符" },
    detail: {
      en: "The notation says that {dice} is to be played; `dice` says another roll.",
      zh: "局面记录中待走的骰子是 {dice}，与 dice 不一致。",
    },
  },
  "dice-missing": {
    status: 422,
    title: { en: "The roll is missing", zh: "缺少骰子点数" },
    detail: {
      en: "Neither `dice` nor the notation says which roll is to be played.",
      zh: "dice 与局面记录均未说明要走的骰子点数。",
    },
  },
  "position-said-twice": {
    status: 422,
    title: { en: "The position is said twice", zh: "局面重复说明" },
    detail: {
      en: "The {notation} says the {member} already: leave out one of them.",
      zh: "{notation} 已包含 {member}，请只保留其一。",
    },
  },
  "idempotency-key-reused": {
    status: 422,
    title: { en: "The key belongs to another request", zh: "幂等键已用于另一请求" },
    detail: {
      en: "The same `Idempotency-Key` came with another request before. A new request needs a new key.",
      zh: "同一个 Idempotency-Key 曾用于另一请求，新的请求须用新的键。",
    },
  },
  "idempotency-key-weak": {
    status: 422,
    title: { en: "The key is too short", zh: "幂等键太短" },
    detail: {
      en: "Here the key alone tells you from others, without a token or with one that dies, and a retry returns tokens: at least {lengthMin} random characters.",
      zh: "此处只能靠该键识别调用者（没有令牌，或令牌即将失效），重试会返回令牌，至少 {lengthMin} 个随机字符。",
    },
  },
  internal: {
    status: 500,
    title: { en: "Something went wrong here", zh: "服务器内部错误" },
    detail: { en: "Our fault. Report `instance`.", zh: "这是我们的错误，请报告 instance。" },
  },
  "engines-busy": {
    status: 503,
    title: { en: "The engines are busy", zh: "引擎繁忙" },
    detail: {
      en: "Too many others wait for an engine, and nothing was done. Ask again after {retryAfterSeconds} s.",
      zh: "等待引擎的请求过多，本次未执行。请在 {retryAfterSeconds} 秒后重试。",
    },
  },
  "store-unavailable": {
    status: 503,
    title: { en: "The store does not answer", zh: "数据库暂不可用" },
    detail: {
      en: "Whether it was done is unknown. Retry with the same `Idempotency-Key`: it is done once.",
      zh: "无法确定是否已执行，请用同一个 Idempotency-Key 重试，不会重复执行。",
    },
  },
} as const satisfies Record<ServiceCode, ProblemEntry> & Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof PROBLEMS;
