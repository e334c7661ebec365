import { expect, test } from 'vitest';
import { faceAfter, timeText } from '../src/play/clock';

test('times read as on a clock', () => {
  const cases = [
    [0, '0.0'],
    [940, '0.9'],
    [9_999, '9.9'],
    [10_000, '0:10'],
    [59_001, '1:00'],
    [545_000, '9:05'],
    [3_723_000, '1:02:03'],
  ] as const;
  for (const [ms, text] of cases) expect(timeText(ms)).toBe(text);
});

test('main time runs first, then the period, and never below zero', () => {
  const side = { main_ms: 5000, period_ms: 30_000, count: 3 };
  expect(faceAfter(side, 0)).toEqual({ left: 5000, count: null });
  expect(faceAfter(side, 4000)).toEqual({ left: 1000, count: null });
  expect(faceAfter(side, 6000)).toEqual({ left: 29_000, count: 3 });
  expect(faceAfter(side, 99_000)).toEqual({ left: 0, count: 3 });
});
