// Points as text: `Q16` as players say it, and where that is on the drawn board.
//
// Letters leave out I, numbers count from the bottom, as in GTP. Nothing here knows
// the rules: whether a move may be played is the server's answer.

const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

export const PASS = 'pass';

/** How many lines a board has. */
export interface Size {
  width: number;
  height: number;
}

/** A place on the drawn board: column from the left, row from the top, both from 0. */
export type Place = readonly [x: number, y: number];

/** Returns the place of a vertex, or null for a pass and for what is not on the board. */
export function placeOf(vertex: string, { width, height }: Size): Place | null {
  const found = /^([A-HJ-Z])([1-9]\d?)$/i.exec(vertex.trim());
  if (!found) return null;
  const x = LETTERS.indexOf(found[1]!.toUpperCase());
  const y = height - Number(found[2]);
  return x < width && y >= 0 ? [x, y] : null;
}

/** Returns the vertex at a place, such as `D4`. */
export function vertexAt([x, y]: Place, { height }: Size): string {
  return `${columnName(x)}${height - y}`;
}

/** Returns the letter of a column. */
export function columnName(x: number): string {
  return LETTERS[x] ?? '?';
}

/**
 * Reads what a person typed as a move: `d4`, ` D 4 `, `ｄ４` or `pass`; null if it is no
 * move on this board. Full-width letters come from Japanese and Korean keyboards.
 */
export function readTypedMove(text: string, size: Size): string | null {
  const plain = text.normalize('NFKC').replace(/\s+/g, '').toUpperCase();
  if (plain === 'PASS') return PASS;
  const place = placeOf(plain, size);
  return place && vertexAt(place, size);
}

/** Returns the place `far` steps away in the direction of an arrow key, on the board. */
export function stepFrom([x, y]: Place, key: string, size: Size, far = 1): Place | null {
  const column = (n: number) => Math.min(size.width - 1, Math.max(0, n));
  const row = (n: number) => Math.min(size.height - 1, Math.max(0, n));
  switch (key) {
    case 'ArrowLeft':
      return [column(x - far), y];
    case 'ArrowRight':
      return [column(x + far), y];
    case 'ArrowUp':
      return [x, row(y - far)];
    case 'ArrowDown':
      return [x, row(y + far)];
    default:
      return null;
  }
}
