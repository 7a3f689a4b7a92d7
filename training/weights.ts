/*
 * Two nets in a file, little-endian: the four letters `QJBG`, the format's number, the hidden units of the
 * contact net and of the race net, the games played and the seed (all u32), eight bytes of 0; then the f32 of
 * the contact net and of the race net, in the order of the kernel's memory (`net.ts`).
 */

export const HEADER_BYTES = 32;
const MAGIC = 0x47424a51;
const FORMAT = 1;

/** What a file of weights says of itself. */
export interface WeightsHead {
  readonly contactHidden: number;
  readonly raceHidden: number;
  readonly games: number;
  readonly seed: number;
}

export const printWeights = (head: WeightsHead, nets: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(HEADER_BYTES + nets.byteLength);
  const view = new DataView(bytes.buffer);
  const words = [MAGIC, FORMAT, head.contactHidden, head.raceHidden, head.games, head.seed];
  for (const [i, word] of words.entries()) view.setUint32(i * 4, word, true);
  bytes.set(new Uint8Array(nets.buffer, nets.byteOffset, nets.byteLength), HEADER_BYTES);
  return bytes;
};
