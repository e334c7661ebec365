import { expect, test } from 'vitest';
import { markerMap } from '../src/board/marks';
import { rowsOf, signAt } from '../src/board/signs';
import { fitInto } from '../src/board/useFit';

const size = { width: 3, height: 2 };

test('flat stones become rows', () => {
  expect(rowsOf([1, 0, -1, 0, 0, 1], size)).toEqual([
    [1, 0, -1],
    [0, 0, 1],
  ]);
  expect(rowsOf([1], size)).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ]);
  expect(signAt([1, 0, -1, 0, 0, 1], [2, 1], size)).toBe(1);
});

test('marks go to their points, and those off the board nowhere', () => {
  const marks = markerMap(
    [
      { vertex: 'A2', kind: 'triangle' },
      { vertex: 'B1', kind: 'label', label: '<b>' },
      { vertex: 'C1', kind: 'selected' },
      { vertex: 'Q16', kind: 'square' },
    ],
    size,
  );
  expect(marks).toEqual([
    [{ type: 'triangle' }, null, null],
    [null, { type: 'label', label: '<b>' }, { type: 'point' }],
  ]);
});

test('a board fits its room, on phones too', () => {
  for (const lines of [9, 13, 19]) {
    for (const room of [340, 360, 500, 720, 1200]) {
      for (const coordinates of [true, false]) {
        const fit = fitInto(room, { width: lines, height: lines }, coordinates);
        expect(fit.cell * lines + 2 * fit.margin).toBeLessThanOrEqual(room);
        expect(fit.cell).toBeGreaterThan(14);
      }
    }
  }
});
