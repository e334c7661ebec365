// Stones as the server sends them (a flat list from the top left, 1 for Black, -1 for
// White) and as Shudan wants them (rows).

import type { Place, Size } from './vertex';

export type Sign = 0 | 1 | -1;

/** Returns the rows of a flat list; what the list lacks is empty. */
export function rowsOf(stones: readonly number[], { width, height }: Size): Sign[][] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => signAt(stones, [x, y], { width, height })),
  );
}

/** Returns what stands at a place. */
export function signAt(stones: readonly number[], [x, y]: Place, { width }: Size): Sign {
  return Math.sign(stones[y * width + x] ?? 0) as Sign;
}
