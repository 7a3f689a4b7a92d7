import type { Bilingual } from "./problems.ts";

/** Why a play or a position is refused, in words; the codes are the rules' own. */
export const REASONS: Readonly<Record<string, Bilingual>> = {
  unreadable: {
    en: "It cannot be read as a play or a Position ID",
    zh: "无法读懂该走法或局面编号",
  },
  "no-play-possible": { en: "The roll has no legal play", zh: "这次掷骰没有合法走法" },
  ambiguous: {
    en: "Two legal plays fit; say what is hit on the way",
    zh: "有两种走法符合，请写明途中是否打子",
  },
  "no-checker-there": { en: "There is no such checker to move", zh: "那里没有这样的棋子" },
  "must-enter-first": { en: "Checkers on the bar must enter first", zh: "吧台上的棋子须先进入" },
  "point-closed": { en: "The opponent holds that point", zh: "该点位被对方占据" },
  "not-all-home": {
    en: "Checkers are borne off only when all are home",
    zh: "全部棋子进入内盘后才能离盘",
  },
  "more-dice-must-be-played": { en: "More of the dice must be played", zh: "必须使用更多的骰子" },
  "larger-die-must-be-played": {
    en: "Only one die can be played, and it must be the larger",
    zh: "只能用一个骰子时须用较大的",
  },
  "not-this-roll": { en: "The dice do not lead there", zh: "这次掷骰走不到那里" },
  "no-cube": { en: "This match is played without a cube", zh: "本场比赛不使用加倍方块" },
  "crawford-game": {
    en: "This is the Crawford game: no cube",
    zh: "本局是克劳福德局，不能加倍",
  },
  "opponent-owns-cube": { en: "The opponent owns the cube", zh: "加倍方块在对方手中" },
  "cube-limit": { en: "The cube would pass its limit", zh: "将超过加倍方块的上限" },
  "no-beavers": { en: "This match has no beavers", zh: "本场比赛不允许反加倍（beaver）" },
  "no-raccoons": { en: "This match has no raccoons", zh: "本场比赛不允许再反加倍（raccoon）" },
  "game-over": { en: "a side has borne off all its checkers", zh: "一方已全部离盘" },
  "count-out-of-range": { en: "a place holds 0 to 15 checkers", zh: "每处只能有 0 到 15 枚棋子" },
  "too-many-checkers": {
    en: "a side has at most 15 checkers, 3 in hypergammon",
    zh: "每方最多 15 枚棋子（hypergammon 为 3 枚）",
  },
  "point-held-by-both": { en: "both sides stand on one point", zh: "双方占据同一点位" },
  "not-14-base64-characters": { en: "it has 14 Base64 characters", zh: "应为 14 个 Base64 字符" },
  "padding-bits-set": { en: "its last bits must be zero", zh: "末尾的填充位必须为零" },
  "bits-run-out": { en: "its bits end before the board does", zh: "数据不足以表示整个棋盘" },
  "bits-left-over": { en: "bits are left after the board", zh: "棋盘之后有多余的数据" },
  "not-ten-fields": { en: "it has ten fields between colons", zh: "应有以冒号分隔的十个字段" },
  "not-a-board": {
    en: "the first field is a board of 26 places",
    zh: "第一个字段应为 26 处的棋盘",
  },
  "not-a-power-of-two": {
    en: "a cube is a power of two, written as 0 to 15 in an XGID",
    zh: "倍数应为 2 的幂，XGID 中写作 0 到 15",
  },
  "not-1-0-or-minus-1": { en: "the cube's owner is 1, 0 or -1", zh: "倍数归属应为 1、0 或 -1" },
  "not-1-or-minus-1": { en: "the turn is 1 or -1", zh: "轮次应为 1 或 -1" },
  "not-00-D-or-two-dice": { en: "the dice are 00, D or two dice", zh: "骰子应为 00、D 或两个点数" },
  "not-a-match-length": { en: "the match length is a number", zh: "比赛分数应为整数" },
  "not-a-score-before-the-end": { en: "a score is below the length", zh: "得分应低于比赛分数" },
  "not-a-rules-number": { en: "the eighth field says the rules", zh: "第八个字段应为规则编号" },
  "not-a-crawford-score": {
    en: "the Crawford game needs one side one point away",
    zh: "克劳福德局要求恰有一方差一分",
  },
  "no-cube-in-a-crawford-game": {
    en: "in the Crawford game the cube is centred at 1",
    zh: "克劳福德局中倍数方块居中且为 1",
  },
  "money-rules-in-a-match": {
    en: "the Jacoby rule and beavers are of money sessions, not of a match",
    zh: "雅各比规则和海狸加倍只用于计分局，不用于比赛",
  },
  "not-a-possible-double": {
    en: "the side on roll cannot have doubled here",
    zh: "轮到的一方此时不可能已加倍",
  },
  "not-12-base64-characters": { en: "it has 12 Base64 characters", zh: "应为 12 个 Base64 字符" },
  "unused-bits-set": { en: "its unused bits must be zero", zh: "未使用的位必须为零" },
  "not-a-cube-owner": { en: "the cube has no such owner", zh: "倍数归属无效" },
  "not-a-game-state": { en: "there is no such state of a game", zh: "对局状态无效" },
  "game-is-over": { en: "the game in it has ended", zh: "其中的对局已结束" },
  "game-not-begun": { en: "no game has begun in it", zh: "其中的对局尚未开始" },
  "not-two-dice": { en: "it has two dice of 1 to 6, or none", zh: "应有两枚 1 到 6 的骰子或没有" },
  "nothing-to-answer": {
    en: "it waits for an answer, and nothing is offered",
    zh: "其中等待答复，但没有任何提议",
  },
};
