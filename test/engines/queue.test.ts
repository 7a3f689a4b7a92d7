import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Urgency } from "../../src/queue.ts";
import { openQueue } from "../../src/queue.ts";

/** Work that goes on until the test ends it, and what of it has begun, in order. */
const works = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
};

const ROOMY = { play: 10, tool: 10 };

describe("a queue", () => {
  it("lets in as many as it has places, the more urgent first, then by arrival", async () => {
    const { begun, work, end } = works();
    const queue = openQueue(2, ROOMY);
    const asked: readonly (readonly [Urgency, string])[] = [
      ["tool", "a"],
      ["tool", "b"],
      ["tool", "c"],
      ["play", "d"],
      ["tool", "e"],
      ["play", "f"],
    ];
    const done = asked.map(([urgency, name]) => queue.run(urgency, work(name)));
    for (const name of ["a", "b", "d", "f", "c", "e"]) {
      end(name);
      await done[asked.findIndex(([, one]) => one === name)];
    }
    expect(begun).toEqual(["a", "b", "d", "f", "c", "e"]);
    expect(await Promise.all(done)).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("turns away who would be one too many, each urgency by itself, and does nothing for them", async () => {
    const { begun, work, end } = works();
    const queue = openQueue(1, { play: 1, tool: 0 });
    const first = queue.run("play", work("a"));
    expect(await queue.run("tool", work("b"))).toBeUndefined();
    const second = queue.run("play", work("c"));
    expect(await queue.run("play", work("d"))).toBeUndefined();
    end("a");
    await first;
    end("c");
    expect(await second).toBe("c");
    expect(begun).toEqual(["a", "c"]);
    const later = queue.run("tool", work("e"));
    end("e");
    expect(await later).toBe("e");
  });

  it("forgets who leaves, before or while waiting, and gives the place to the next", async () => {
    const { begun, work, end } = works();
    const queue = openQueue(1, { play: 2, tool: 0 });
    const first = queue.run("play", work("a"));
    const leaving = new AbortController();
    const left = queue.run("play", work("b"), leaving.signal);
    const next = queue.run("play", work("c"));
    leaving.abort();
    await expect(left).rejects.toThrow("left");
    await expect(queue.run("play", work("d"), leaving.signal)).rejects.toThrow("left");
    const instead = queue.run("play", work("e"));
    end("a");
    await first;
    end("c");
    await next;
    end("e");
    await instead;
    expect(begun).toEqual(["a", "c", "e"]);
  });

  it("frees the place of work that fails", async () => {
    const queue = openQueue(1, { play: 0, tool: 0 });
    const failed = queue.run("play", () => Promise.reject(new RangeError("no")));
    await expect(failed).rejects.toThrow(RangeError);
    expect(await queue.run("play", async () => "done")).toBe("done");
  });

  it("never does more at once than it has places, and in the end has all of them free", async () => {
    const step = fc.record({
      urgency: fc.constantFrom<Urgency[]>("play", "tool"),
      ticks: fc.nat(5),
      leavesAfter: fc.option(fc.nat(5)),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step), async (places, steps) => {
        const queue = openQueue(places, { play: 3, tool: 2 });
        let now = 0;
        let most = 0;
        const ticks = async (count: number): Promise<void> => {
          for (let tick = 0; tick < count; tick++) await Promise.resolve();
        };
        const settled = steps.map(async ({ urgency, ticks: length, leavesAfter, fails }) => {
          const leaving = new AbortController();
          const running = queue.run(
            urgency,
            async () => {
              now += 1;
              most = Math.max(most, now);
              await ticks(length);
              now -= 1;
              if (fails) throw new RangeError("no");
            },
            leaving.signal,
          );
          const gone = leavesAfter === null ? undefined : ticks(leavesAfter);
          const left = gone?.then(() => leaving.abort());
          await Promise.allSettled([running, left]);
        });
        await Promise.all(settled);
        expect(most).toBeLessThanOrEqual(places);
        const { begun, work, end } = works();
        const names = Array.from({ length: places }, (_, nth) => `${nth}`);
        const again = names.map((name) => queue.run("play", work(name)));
        expect(begun).toEqual(names);
        for (const name of names) end(name);
        await Promise.all(again);
      }),
    );
  });
});
