import { expect, test } from 'vitest';
import { placeOf, readTypedMove, stepFrom, vertexAt } from '../src/board/vertex';

const nine = { width: 9, height: 9 };
const nineteen = { width: 19, height: 19 };

test('a vertex has a place, counted from the top left', () => {
  const cases = [
    ['A1', nine, [0, 8]],
    ['J9', nine, [8, 0]],
    ['H8', nine, [7, 1]],
    ['Q16', nineteen, [15, 3]],
    ['T19', nineteen, [18, 0]],
    ['C2', { width: 5, height: 3 }, [2, 1]],
  ] as const;
  for (const [vertex, size, place] of cases) {
    expect(placeOf(vertex, size), vertex).toEqual(place);
    expect(vertexAt(place, size)).toBe(vertex);
  }
});

test('what is not on the board has no place', () => {
  for (const bad of ['I5', 'K5', 'A10', 'A0', 'pass', '', 'A', '5', 'A1x', 'AA1']) {
    expect(placeOf(bad, nine), bad).toBeNull();
  }
});

test('every point of a board comes back as itself', () => {
  for (let y = 0; y < 19; y++) {
    for (let x = 0; x < 19; x++) {
      expect(placeOf(vertexAt([x, y], nineteen), nineteen)).toEqual([x, y]);
    }
  }
});

test('moves are read as people type them', () => {
  const cases = [
    ['d4', 'D4'],
    [' D 4 ', 'D4'],
    ['ｄ４', 'D4'],
    ['PASS', 'pass'],
    ['Pass ', 'pass'],
    ['i4', null],
    ['d44', null],
    ['<script>', null],
    ['', null],
  ] as const;
  for (const [text, move] of cases) expect(readTypedMove(text, nine), text).toBe(move);
});

test('the cursor stays on the board', () => {
  expect(stepFrom([0, 0], 'ArrowLeft', nine)).toEqual([0, 0]);
  expect(stepFrom([0, 0], 'ArrowUp', nine)).toEqual([0, 0]);
  expect(stepFrom([7, 4], 'ArrowRight', nine, 3)).toEqual([8, 4]);
  expect(stepFrom([4, 4], 'ArrowDown', nine, 3)).toEqual([4, 7]);
  expect(stepFrom([4, 4], 'Enter', nine)).toBeNull();
});
