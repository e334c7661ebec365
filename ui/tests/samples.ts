// Answers of a server, made up for tests.

import type { About, GameView, MoveView, TreeNode } from '../src/api/types';

export const about: About = {
  name: 'shido',
  version: '0.0.0',
  engines: [{ id: 'classic', name: 'classic' }],
  partners: [
    {
      id: 'classic',
      name: 'Classic',
      advanced: false,
      measured: [],
      strengths: [
        { id: 'light', playouts: 100, default: false },
        { id: 'medium', playouts: 1000, default: true },
      ],
      levels: [],
      styles: [],
    },
  ],
  sizes: [
    { size: 9, max_handicap: 5 },
    { size: 13, max_handicap: 9 },
    { size: 19, max_handicap: 9 },
  ],
  rules: [
    { id: 'chinese', scoring: 'area', komi: 7.5, handicap_komi: 0.5 },
    { id: 'japanese', scoring: 'territory', komi: 6.5, handicap_komi: 0.5 },
  ],
  max_record_bytes: 4_000_000,
};

/** A game after some moves, each a text such as `black D4`. */
export function gameView(moves: string[], more: Partial<GameView> = {}): GameView {
  const played = moves.map((text, i): MoveView => {
    const [color, move] = text.split(' ');
    return {
      number: i + 1,
      color: color as 'black' | 'white',
      move: move!,
      has_why: false,
    };
  });
  return {
    id: 'a',
    created_ms: 1,
    updated_ms: moves.length,
    phase: 'playing',
    settings: {
      size: 9,
      rules: 'chinese',
      komi: 7.5,
      handicap: 0,
      your_color: 'black',
      partner: 'classic',
      strength: 'medium',
      level: null,
      auto: false,
      style: null,
      pace: 'quick',
      clock: null,
      your_name: '',
    },
    black: '',
    white: 'Classic',
    position: {
      width: 9,
      height: 9,
      stones: Array<number>(81).fill(0),
      to_move: moves.length % 2 === 0 ? 'black' : 'white',
      captures: { black: 0, white: 0 },
      ko: null,
      forbidden: [],
      last_move: null,
      move_number: moves.length,
      komi: 7.5,
      rules: 'chinese',
      handicap: 0,
      stars: [],
    },
    moves: played,
    your_turn: moves.length % 2 === 0,
    thinking: moves.length % 2 === 1,
    can_undo: moves.length > 0,
    undos: 0,
    clock: null,
    scoring: null,
    result: null,
    winner: null,
    failure: null,
    ...more,
  };
}

/** A tree from the parent of each node; the first is the root. */
export function treeOf(parents: (number | null)[]): TreeNode[] {
  return parents.map((parent, id) => ({
    id,
    parent,
    children: parents.flatMap((of, child) => (of === id ? [child] : [])),
    color: id % 2 === 1 ? 'black' : 'white',
    move: 'D4',
    number: id,
    has_comment: false,
    name: null,
  }));
}
