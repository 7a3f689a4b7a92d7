import { useNets } from "./judge";
import { sizeOf } from "./net";
import { RESULTS_MAX } from "./plays";
import { POSITION } from "./position";

export {
  bearOffChances,
  isBearOff,
  makeBearOff,
  meanRolls,
  rollsUntilFirstOff,
  rollsUntilOff,
} from "./bear-off";
export { exactEquities, isExact } from "./exact";
export { features } from "./features";
export { judgeAll, judgeOne, lookAhead, nodes, slopes } from "./judge";
export { sizeOf } from "./net";
export { generate } from "./plays";

/** Where a caller writes a position, and where it finds results and chances. */
export const positionAt: usize = heap.alloc(POSITION);
export const resultsAt: usize = heap.alloc(<usize>RESULTS_MAX * POSITION);
export const chancesAt: usize = heap.alloc(<usize>RESULTS_MAX * 32);
export const inputsAt: usize = heap.alloc(1024);

/** A place of so many bytes, for good: aligned to 16, and 0 at first. */
export function allocate(bytes: usize): usize {
  return heap.alloc(bytes);
}

/** Room for two nets; the caller writes their numbers there, contact first. */
export function makeNets(contactHidden: i32, raceHidden: i32): usize {
  const contact = heap.alloc(sizeOf(contactHidden) + sizeOf(raceHidden));
  useNets(contact, contactHidden, contact + sizeOf(contactHidden), raceHidden);
  return contact;
}
