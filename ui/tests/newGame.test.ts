import { expect, test } from 'vitest';
import {
  handicapsFor,
  komiOf,
  requestAgain,
  requestOf,
  startingChoice,
  usualKomi,
} from '../src/play/newGame';
import { unusualTexts } from '../src/play/names';
import { about, gameView } from './samples';

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

test('komi follows the rules and the handicap', () => {
  const choice = startingChoice(about, null);
  const [rules] = about.rules;
  expect(usualKomi(about, choice)).toBe(rules!.komi);
  expect(usualKomi(about, { ...choice, handicap: 4 })).toBe(rules!.handicap_komi);
});

test('another game asks for the same, and for the automatic level again', () => {
  const { settings } = gameView([]);
  expect(requestAgain(settings)).not.toHaveProperty('auto');
  expect(requestAgain({ ...settings, auto: true, level: '12k' }).level).toBe('auto');
  expect(requestAgain({ ...settings, level: '8k' }).level).toBe('8k');
});

test('another partner starts with its own level', () => {
  const teacher = {
    ...about.partners[0]!,
    id: 'natural',
    strengths: [],
    levels: [
      { id: 'auto', fox: null, default: true },
      { id: '8k', fox: '5k', default: false },
    ],
  };
  const both = { ...about, partners: [teacher, ...about.partners] };
  expect(startingChoice(both, null)).toMatchObject({ partner: 'natural', level: 'auto' });
  const kept = JSON.stringify({ partner: 'natural', level: '8k', strength: 'medium' });
  expect(startingChoice(both, kept)).toMatchObject({ level: '8k', strength: null });
  const classic = JSON.stringify({ partner: 'classic', level: '8k' });
  expect(startingChoice(both, classic)).toMatchObject({ level: null });
});

test('what is folded away and not as usual is named', () => {
  const choice = startingChoice(about, null);
  expect(unusualTexts(about, choice)).toEqual([]);
  expect(unusualTexts(about, { ...choice, komi: '7.5' })).toEqual([]);
  const kept = { rules: 'japanese', komi: '0.5', handicap: 4, clock: 'fast' } as const;
  expect(unusualTexts(about, { ...choice, ...kept, handicap: 0 })).toEqual([
    'Japanese',
    'komi 0.5',
    'Clock: fast',
  ]);
  expect(unusualTexts(about, { ...choice, handicap: 4 })).toEqual(['handicap 4']);
});
