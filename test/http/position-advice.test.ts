import { beforeAll, describe, expect, it } from "vitest";
import {
  BEST_PLAYS_EXAMPLE,
  CUBE_ACTION_EXAMPLE,
  EVALUATION_EXAMPLE,
} from "../../src/http/advice-examples.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { Client, PlayJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { testService } from "../support/service.ts";

interface ChancesJson {
  readonly win: number;
  readonly winGammon: number;
  readonly winBackgammon: number;
  readonly loseGammon: number;
  readonly loseBackgammon: number;
}

interface EvaluationJson extends ProblemJson {
  readonly chances: ChancesJson;
  readonly cubeless: number;
  readonly cubeful: number;
}

interface CubeActionJson extends ProblemJson {
  readonly mayDouble: boolean;
  readonly chances: ChancesJson;
  readonly action: string;
  readonly response: string;
  readonly equities: Readonly<Record<"noDouble" | "doubleTake" | "doublePass", number>>;
}

interface BestPlaysJson extends ProblemJson {
  readonly plays: readonly (PlayJson & {
    readonly equity: number;
    readonly difference: number;
    readonly chances: ChancesJson;
  })[];
}

const START = { positionId: "4HPwATDgc/ABMA" };
const UNSAID_OFF = {
  board: { onRoll: { points: { "6": 1, "5": 1 } }, opponent: { points: { "1": 1 } } },
};
const LEVEL = { level: "intermediate" };

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 16 })).app);
});

const evaluate = (body: object) =>
  api.post<EvaluationJson>("/v1/positions/evaluate", { ...LEVEL, ...body });
const bestPlays = (body: object) =>
  api.post<BestPlaysJson>("/v1/positions/best-plays", { ...LEVEL, ...body });
const cubeAction = (body: object) =>
  api.post<CubeActionJson>("/v1/positions/cube-action", { ...LEVEL, ...body });

/** The opponent bears off its last checker next: the side on roll wins now, or not at all. */
const lastRoll = (points: Record<string, number>) => {
  const left = Object.values(points).reduce((sum, count) => sum + count, 0);
  return {
    board: {
      onRoll: { points, off: 15 - left },
      opponent: { points: { "1": 1 }, off: 14 },
    },
  };
};

describe("evaluate", () => {
  // How many of the 36 rolls bear off both checkers: the table of any book on bear-offs.
  it.each([
    [{ "1": 2 }, 36],
    [{ "6": 1 }, 27],
    [{ "5": 1, "2": 1 }, 19],
    [{ "6": 1, "5": 1 }, 6],
  ])("%j against a checker that is as good as off wins %i of 36", async (points, rolls) => {
    const { body } = await evaluate({ position: lastRoll(points) });
    expect(body.chances.win).toBeCloseTo(rolls / 36, 5);
    expect(body.chances).toMatchObject({ winGammon: 0, loseGammon: 0 });
    expect(body.cubeless).toBeCloseTo((2 * rolls) / 36 - 1, 4);
  });

  it("sums cubeless equity up of the chances, gammons twice and backgammons three times", async () => {
    const { chances, cubeless } = (await evaluate({ position: START })).body;
    const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = chances;
    const sum = 2 * win - 1 + winGammon + winBackgammon - loseGammon - loseBackgammon;
    expect(cubeless).toBeCloseTo(sum, 4);
  });

  it("leaves a roll out that the notation says", async () => {
    const before = await evaluate({
      position: { xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" },
    });
    const after = await evaluate({
      position: { xgid: "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" },
    });
    expect(before.status, before.text).toBe(200);
    expect(after.body).toEqual(before.body);
  });

  it("counts the score: a gammon at double match point is worth a single", async () => {
    const cube = { matchLength: 5, score: [4, 4] };
    const { chances, cubeless } = (await evaluate({ position: START, cube })).body;
    expect(cubeless).toBeCloseTo(2 * chances.win - 1, 4);
  });
});

describe("best-plays", () => {
  it("ranks every legal play, whichever die is named first", async () => {
    const asked = { position: START, dice: [3, 1] };
    const legal = await api.post<BestPlaysJson>("/v1/positions/legal-plays", asked);
    const ranked = await bestPlays({ ...asked, limit: 100 });
    const named = ({ play }: PlayJson) => play;
    expect(ranked.body.plays.map(named).sort()).toEqual(legal.body.plays.map(named).sort());
    const other = await bestPlays({ ...asked, dice: [1, 3], limit: 100 });
    expect(other.body).toEqual(ranked.body);
    const { plays } = ranked.body;
    const best = plays[0]?.equity ?? 0;
    for (const [place, { equity, difference }] of plays.entries()) {
      expect(equity).toBeLessThanOrEqual(plays[place - 1]?.equity ?? best);
      expect(difference).toBeCloseTo(equity - best, 12);
    }
    const first = await bestPlays({ ...asked, limit: 2 });
    expect(first.body.plays).toEqual(plays.slice(0, 2));
  });

  it("bears off the last checker at once", async () => {
    const { body } = await bestPlays({ position: lastRoll({ "4": 1, "1": 1 }), dice: [4, 1] });
    expect(body.plays[0]).toMatchObject({ play: "4/off 1/off", equity: 1, chances: { win: 1 } });
  });

  it("is empty where nothing can be played", async () => {
    const closed = {
      board: {
        onRoll: { points: { "6": 14 }, bar: 1 },
        opponent: { points: { "1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2, "24": 3 } },
      },
    };
    expect((await bestPlays({ position: closed, dice: [6, 6] })).body).toEqual({ plays: [] });
  });

  it("takes the notation's roll, in either order, and no other", async () => {
    const position = { xgid: "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" };
    expect((await bestPlays({ position, dice: [2, 5] })).status).toBe(200);
    const refused = await bestPlays({ position, dice: [3, 1] });
    expect([refused.status, refused.body.code]).toEqual([422, "dice-contradict"]);
    expect(refused.body.detail).toContain("5-2");
  });

  it("takes the notation's roll where no other is said, and needs one of them", async () => {
    const position = { xgid: "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" };
    const unsaid = await bestPlays({ position });
    expect(unsaid.status, unsaid.text).toBe(200);
    expect(unsaid.body).toEqual((await bestPlays({ position, dice: [5, 2] })).body);
    const refused = await bestPlays({ position: START });
    expect([refused.status, refused.body.code]).toEqual([422, "dice-missing"]);
  });

  it("is of the variant's checkers", async () => {
    const three = { points: { "24": 1, "23": 1, "22": 1 } };
    const position = { board: { onRoll: three, opponent: three } };
    const { body } = await bestPlays({ position, dice: [3, 1], variant: "hypergammon" });
    expect(body.plays.length).toBeGreaterThan(3);
  });
});

it.each([
  ["evaluate", evaluate, {}],
  ["best-plays", bestPlays, { dice: [5, 4], limit: 100 }],
  ["cube-action", cubeAction, {}],
] as const)(
  "%s gives figures with 5 decimals, and what is sure as 0 and 1",
  async (_, ask, more) => {
    for (const position of [START, lastRoll({ "6": 1, "5": 1 }), lastRoll({ "1": 2 })]) {
      const { text } = await ask({ position, ...more });
      const figures = text.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? [];
      expect(figures.length).toBeGreaterThan(6);
      for (const figure of figures) expect(figure).not.toMatch(/\.\d{6}|e|^-0$/);
    }
  },
);

describe("cube-action", () => {
  it("says the chances that evaluate does", async () => {
    for (const position of [START, lastRoll({ "5": 1, "2": 1 })]) {
      const { body } = await cubeAction({ position });
      expect(body.chances).toEqual((await evaluate({ position })).body.chances);
    }
  });

  it("doubles the last roll where it wins more often than not, and the other takes up to 3 in 4", async () => {
    const nineteen = (await cubeAction({ position: lastRoll({ "5": 1, "2": 1 }) })).body;
    expect(nineteen).toMatchObject({ mayDouble: true, action: "double", response: "take" });
    expect(nineteen.equities.noDouble).toBeCloseTo(2 / 36, 5);
    expect(nineteen.equities.doubleTake).toBeCloseTo(4 / 36, 5);
    expect(nineteen.equities.doublePass).toBe(1);
    const sure = (await cubeAction({ position: lastRoll({ "1": 2 }) })).body;
    expect(sure).toMatchObject({ action: "double", response: "pass" });
    const poor = (await cubeAction({ position: lastRoll({ "6": 1, "5": 1 }) })).body;
    expect(poor).toMatchObject({ action: "noDouble", response: "take" });
  });

  it.each([
    ["the opponent's cube", { value: 2, owner: "opponent" }],
    ["the Crawford game", { matchLength: 5, score: [4, 2], crawford: true }],
  ])("says that nobody doubles with %s", async (_, cube) => {
    const { body } = await cubeAction({ position: lastRoll({ "5": 1, "2": 1 }), cube });
    expect(body).toMatchObject({ mayDouble: false, action: "noDouble" });
  });
});

describe.each([
  ["evaluate", evaluate, {}],
  ["best-plays", bestPlays, { dice: [3, 1] }],
  ["cube-action", cubeAction, {}],
] as const)("%s refuses", (_, ask, more) => {
  it("nothing of a board that does not say what is off, and answers as if it did", async () => {
    const unsaid = await ask({ position: UNSAID_OFF, ...more });
    const said = await ask({ position: lastRoll({ "6": 1, "5": 1 }), ...more });
    expect(unsaid.status, unsaid.text).toBe(200);
    expect(unsaid.body).toEqual(said.body);
  });

  it("a game that is over, and a position that is none", async () => {
    const over = {
      board: { onRoll: { points: {}, off: 15 }, opponent: { points: { "1": 1 }, off: 14 } },
    };
    const refused = await ask({ position: over, ...more });
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-playable"]);
    const unreadable = await ask({ position: { positionId: "short" }, ...more });
    expect([unreadable.status, unreadable.body.code]).toEqual([422, "position-not-readable"]);
  });

  it("a cube beside a notation that says it", async () => {
    const position = { xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" };
    const refused = await ask({ position, cube: { value: 2, owner: "onRoll" }, ...more });
    expect([refused.status, refused.body.code]).toEqual([422, "position-said-twice"]);
    const impossible = await ask({
      position: START,
      cube: { matchLength: 3, jacoby: true },
      ...more,
    });
    expect([impossible.status, impossible.body.code]).toEqual([422, "position-not-playable"]);
  });

  it.each([
    ["a cube at 1 that has an owner", { cube: { value: 1, owner: "onRoll" } }],
    ["an owner alone", { cube: { owner: "opponent" } }],
    ["a turned cube in the middle of a match", { cube: { matchLength: 7, value: 2 } }],
    ["a score without a length", { cube: { score: [4, 6] } }],
    [
      "an XGID's turned cube in the middle of a match",
      { position: { xgid: "-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:7:10" } },
    ],
  ])("%s, in words of both languages", async (_name, asked) => {
    const refused = await ask({ position: START, ...asked, ...more });
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-playable"]);
    expect(refused.body.detail).not.toMatch(/[a-z]-[a-z]+-/);
  });

  it("a level that gives no advice, by name", async () => {
    const refused = await ask({ position: START, ...more, level: "beginner" });
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, "/level"]);
  });
});

/** The same data with every number in it as `toBeCloseTo(…, 1.7)` has it: within 0.01. */
const closely = (value: Json): unknown => {
  if (typeof value === "number") return expect.closeTo(value, 1.7);
  if (Array.isArray(value)) return value.map(closely);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closely(member)]));
};

describe("the document's example", () => {
  const expert = { level: "expert" };
  it.each([
    ["evaluate", evaluate, {}, EVALUATION_EXAMPLE],
    ["best-plays", bestPlays, { dice: [3, 1], limit: 3 }, BEST_PLAYS_EXAMPLE],
    ["cube-action", cubeAction, { cube: { matchLength: 7, score: [2, 4] } }, CUBE_ACTION_EXAMPLE],
  ] as const)("of %s is what its request is answered", async (_, ask, more, example) => {
    const { body } = await ask({ position: START, ...more, ...expert });
    expect(body).toEqual(closely(example));
  });
});
