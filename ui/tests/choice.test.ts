import { expect, test } from 'vitest';
import type { ChoiceView, ConsideredView, Why } from '../src/api/types';
import { share, tenths } from '../src/look/numbers';
import { LANGUAGES } from '../src/lang';
import { choiceSpots, letteredChoice } from '../src/play/choice';
import { asideSaid, whySaid } from '../src/play/whySaid';

const considered = (move: string, loss: number | null): ConsideredView => ({
  move,
  visits: loss === null ? 0 : 10,
  lead: loss === null ? null : 3 - loss,
  loss,
  win_rate: null,
  naturalness: 0.2,
  score: 0.1,
  set_aside: null,
});

const choice = (candidates: ConsideredView[]): ChoiceView => ({
  partner: 'natural',
  rule: 'natural-score',
  notes: [],
  target_loss: 1,
  lead: 3,
  simulations: 100,
  candidates,
});

test('moves have letters, what they give away, and the chosen one a ring', () => {
  const spots = choiceSpots(
    choice([
      considered('D4', 1.24),
      considered('C3', 0),
      considered('E5', 4),
      considered('pass', null),
    ]),
    'D4',
  );
  expect(spots).toEqual([
    { vertex: 'D4', letter: 'A', note: '−1.2', rank: 'other', chosen: true },
    { vertex: 'C3', letter: 'B', note: '0', rank: 'best', chosen: false },
    { vertex: 'E5', letter: 'C', note: '−4', rank: 'poor', chosen: false },
    { vertex: 'pass', letter: 'D', note: '', rank: 'other', chosen: false },
  ]);
});

test('a long list is cut, but never its best move', () => {
  const many = Array.from({ length: 30 }, (_, i) => considered(`A${i + 1}`, 30 - i));
  const rows = letteredChoice(choice(many));
  expect(rows.map(({ letter }) => letter).join('')).toBe('ABCDEFGH');
  expect(rows.map(({ candidate }) => candidate.move)).toEqual([
    'A1',
    'A2',
    'A3',
    'A4',
    'A5',
    'A6',
    'A7',
    'A30',
  ]);
  const known = letteredChoice(choice(many.toReversed()));
  expect(known.at(-1)!.candidate.move).toBe('A23');
  expect(letteredChoice(choice([]))).toEqual([]);
});

test('small shares keep a digit', () => {
  expect([0.234, 0.1, 0.0994, 0.004, 0.0001].map(share)).toEqual([
    '23 %',
    '10 %',
    '9.9 %',
    '0.4 %',
    '< 0.1 %',
  ]);
  expect([3, 0.46].map(tenths)).toEqual(['3.0', '0.5']);
});

test('why is said in sentences, and what is new as it came', () => {
  const why: Why = {
    number: 2,
    color: 'white',
    move: 'D4',
    reason: 'partner',
    engine: 'classic',
    visits: 100,
    time_ms: 1,
    win_rate: 0.5,
    lead: 0,
    hopeless: false,
    candidates: [],
    choice: {
      ...choice([considered('D4', 1.24)]),
      notes: ['ladder-answered', 'brand-new'],
    },
  };
  expect(whySaid(why, LANGUAGES.en)).toBe(
    'It looked for a natural move that keeps the game close. It wanted to give away ' +
      'about 1.0 points; this move gave away 1.2. A ladder had to be answered. brand-new',
  );
  expect(whySaid(why, LANGUAGES.ja)).toContain('シチョウ');
  expect(whySaid({ ...why, choice: null, reason: 'settled' }, LANGUAGES.en)).toBe(
    LANGUAGES.en.game.reasons.settled,
  );
  expect(asideSaid('own-eye', LANGUAGES.en)).toBe('fills its own eye');
});
