/** Bytes that come in pieces, in one buffer from the beginning. */

const FEWEST_BYTES = 64 * 1024;

export interface GatheredBytes {
  readonly length: number;
  add(piece: Uint8Array): void;
  /** Everything so far; nothing may be added afterwards. */
  bytes(): Buffer;
}

/**
 * Each piece is copied as it comes. To join them at the end touches all their bytes in one go: 6 ms for 7 MB, in which nobody is
 * served. `expected`: how many bytes will come, as far as is known; more and fewer do no harm.
 */
export function createGatheredBytes(expected: number): GatheredBytes {
  let room = Buffer.allocUnsafeSlow(Math.max(expected, FEWEST_BYTES));
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > room.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * room.length));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(piece, length);
      length = needed;
    },
    bytes: () => room.subarray(0, length),
  };
}
