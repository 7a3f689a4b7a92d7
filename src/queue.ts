/** Who goes first: `play` is a match that somebody waits at, `tool` a question that nothing hangs on. */
const URGENCIES = ["play", "tool"] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Whoever waited for the work has left. */
class WaitedInVain extends Error {
  override readonly name = "WaitedInVain";
}

/** Work that is let in as places come free. */
export interface Queue {
  /**
   * Does the work once it has a place: the more urgent first, then in order of arrival.
   *
   * @param signal - aborted before the work has begun, it leaves the queue: throws `WaitedInVain`
   * @returns undefined where too many wait already; then nothing was done
   */
  run<Outcome>(
    urgency: Urgency,
    work: () => Promise<Outcome>,
    signal?: AbortSignal,
  ): Promise<Outcome | undefined>;
}

/**
 * A queue in front of so many places.
 *
 * @param waitingMax - how many may wait at once, of each urgency
 */
export const openQueue = (places: number, waitingMax: Readonly<Record<Urgency, number>>): Queue => {
  const waiting: Readonly<Record<Urgency, Set<() => void>>> = { play: new Set(), tool: new Set() };
  let free = places;

  const leave = (): void => {
    const lane = URGENCIES.map((urgency) => waiting[urgency]).find(({ size }) => size > 0);
    const [next] = lane ?? [];
    if (lane === undefined || next === undefined) {
      free += 1;
      return;
    }
    lane.delete(next);
    next();
  };

  const place = (lane: Set<() => void>, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        lane.delete(enter);
        reject(new WaitedInVain("left the queue"));
      };
      lane.add(enter);
      signal?.addEventListener("abort", giveUp, { once: true });
    });

  return {
    run: async (urgency, work, signal) => {
      if (signal?.aborted) throw new WaitedInVain("left before the queue");
      const lane = waiting[urgency];
      if (free > 0) free -= 1;
      else if (lane.size >= waitingMax[urgency]) return undefined;
      else await place(lane, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
