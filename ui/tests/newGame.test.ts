import { expect, test } from 'vitest';
import { handicapsFor, komiOf, requestOf, startingChoice } from '../src/play/newGame';
import { about } from './samples';

test('the form starts with what the server takes as usual', () => {
  const choice = startingChoice(about, null);
  expect(choice).toMatchObject({
    size: 9,
    rules: 'chinese',
    partner: 'classic',
    strength: 'medium',
    level: null,
    clock: 'none',
  });
  expect(requestOf(choice)).toMatchObject({ komi: null, clock: null, your_name: null });
});

test('the last choice comes back, less what is no longer offered', () => {
  const kept = JSON.stringify({
    size: 13,
    rules: 'gone',
    handicap: 99,
    color: 'white',
    clock: 'fast',
  });
  const choice = startingChoice(about, kept);
  expect(choice).toMatchObject({
    size: 13,
    rules: 'chinese',
    handicap: 0,
    color: 'white',
  });
  expect(requestOf(choice).clock).toEqual({
    kind: 'byo_yomi',
    main_s: 60,
    period_s: 10,
    periods: 5,
  });
});

test('nonsense in the browser’s storage is harmless', () => {
  for (const kept of [
    '',
    '{',
    'null',
    '[]',
    '{"komi":"x","mainMinutes":"many","name":5}',
  ]) {
    expect(requestOf(startingChoice(about, kept))).toMatchObject({ size: 9, komi: null });
  }
});

test('komi is read as typed', () => {
  const cases = [
    ['', null],
    ['6.5', 6.5],
    [' 7 ', 7],
    ['６，５', 6.5],
    ['-3.5', -3.5],
    ['6.3', undefined],
    ['abc', undefined],
    ['1e9', undefined],
  ] as const;
  for (const [text, komi] of cases) expect(komiOf(text), text).toBe(komi);
});

test('handicaps are none, or two and more', () => {
  expect(handicapsFor(about, 9)).toEqual([0, 2, 3, 4, 5]);
  expect(handicapsFor(about, 99)).toEqual([0]);
});

test('a clock of one’s own is sent in seconds', () => {
  const own = { clock: 'own', mainMinutes: 2.5, periodSeconds: 20, periods: 4 };
  const choice = startingChoice(about, JSON.stringify(own));
  expect(requestOf(choice).clock).toEqual({
    kind: 'byo_yomi',
    main_s: 150,
    period_s: 20,
    periods: 4,
  });
});
