import { expect, test } from 'vitest';
import type { CandidateView } from '../src/api/types';
import { lettered, spotsOf } from '../src/look/candidates';
import { leadPoints, leadScale } from '../src/look/graph';
import { brief, percent, signed, signedTenths } from '../src/look/numbers';
import { depthOf, keepLine, layOut, lineThrough, sibling } from '../src/look/tree';
import { treeOf } from './samples';

// 0 - 1 - 2 - 3
//      \ 4 - 5
//      \ 6
const nodes = treeOf([null, 0, 1, 2, 1, 4, 1]);

test('a line goes through a node to the end of its variation', () => {
  expect(lineThrough(nodes, 0)).toEqual([0, 1, 2, 3]);
  expect(lineThrough(nodes, 4)).toEqual([0, 1, 4, 5]);
  expect(keepLine(nodes, [0, 1, 4, 5], 1)).toEqual([0, 1, 4, 5]);
  expect(keepLine(nodes, [0, 1, 4, 5], 3)).toEqual([0, 1, 2, 3]);
  expect(depthOf(nodes, 5)).toBe(3);
});

test('variations are found at the node or at the nearest branch before it', () => {
  expect(sibling(nodes, 2, 1)).toBe(4);
  expect(sibling(nodes, 4, 1)).toBe(6);
  expect(sibling(nodes, 6, 1)).toBeNull();
  expect(sibling(nodes, 2, -1)).toBeNull();
  expect(sibling(nodes, 3, 1)).toBe(4);
  expect(sibling(nodes, 0, 1)).toBeNull();
});

test('a tree is laid out with no two nodes in one place', () => {
  const trees = [
    nodes,
    treeOf([null]),
    treeOf([null, 0, 1, 2, 3, 4, 5, 2, 7, 8, 9, 3, 11, 2, 13, 5, 15]),
    // Every node branches: 0 has 1 and 2, 1 has 3 and 4, …
    treeOf([null, ...Array.from({ length: 200 }, (_, i) => Math.floor(i / 2))]),
  ];
  for (const tree of trees) {
    const spots = layOut(tree);
    expect(spots.length).toBe(tree.length);
    expect(new Set(spots.map(({ column, row }) => `${column},${row}`)).size).toBe(
      tree.length,
    );
    for (const { id, column, row } of spots) {
      expect(column).toBe(depthOf(tree, id));
      const parent = tree[id]?.parent;
      if (parent == null) continue;
      const first = tree[parent]?.children[0] === id;
      if (first) expect(row).toBe(spots[parent]!.row);
      else expect(row).toBeGreaterThan(spots[parent]!.row);
    }
  }
});

test('long lines and deep nesting do not exhaust the stack', () => {
  const node = treeOf([null])[0]!;
  const many = 20_000;
  const long = Array.from({ length: many }, (_, id) => ({
    ...node,
    id,
    parent: id === 0 ? null : id - 1,
    children: id + 1 < many ? [id + 1] : [],
  }));
  expect(layOut(long).at(-1)).toMatchObject({ column: many - 1, row: 0 });
  expect(lineThrough(long, 0)).toHaveLength(many);
  // Node 2n has the leaf 2n + 1 as its first child and the nesting 2n + 2 as its second.
  const nested = Array.from({ length: 4001 }, (_, id) => ({
    ...node,
    id,
    parent: id === 0 ? null : id % 2 === 1 ? id - 1 : id - 2,
    children: id % 2 === 1 || id === 4000 ? [] : [id + 1, id + 2],
  }));
  expect(new Set(layOut(nested).map(({ row }) => row)).size).toBe(2001);
});

function candidate(move: string, lead: number): CandidateView {
  return { move, visits: 10, win_rate: 0.5, lead, prior: 0, line: [move] };
}

test('candidates get letters, the best first, and the chosen one is among them', () => {
  const moves = ['A1', 'B1', 'C1', 'D1', 'E1', 'F1', 'G1', 'H1', 'J1', 'A2'];
  const all = moves.map((move, i) => candidate(move, 5 - i));
  expect(
    lettered(all)
      .map(({ letter }) => letter)
      .join(''),
  ).toBe('ABCDEFGH');
  const spots = spotsOf(all, { chosen: 'A2' });
  expect(spots).toHaveLength(9);
  expect(spots.at(-1)).toMatchObject({
    vertex: 'A2',
    letter: 'I',
    chosen: true,
    rank: 'poor',
  });
  expect(spots[0]).toMatchObject({ rank: 'best', note: '+5', chosen: false });
  expect(spots[1]).toMatchObject({ rank: 'other' });
  expect(spotsOf([])).toEqual([]);
});

test('the graph has the known points of the line, in a steady scale', () => {
  const point = (node: number, lead: number) =>
    [
      node,
      { node, number: node, lead_black: lead, win_rate_black: 0.5, best: null },
    ] as const;
  const known = new Map([point(3, 4), point(0, 1), point(9, 30)]);
  const points = leadPoints([0, 1, 2, 3], known);
  expect(points).toEqual([
    { at: 0, lead: 1 },
    { at: 3, lead: 4 },
  ]);
  expect(leadScale(points)).toBe(5);
  expect(leadScale([{ at: 0, lead: -12 }])).toBe(20);
  expect(leadScale([{ at: 0, lead: 300 }])).toBe(80);
  expect(leadScale([])).toBe(5);
});

test('numbers are short', () => {
  expect([3.5, -0.04, -0.5, 12].map(signed)).toEqual(['+3.5', '0', '−0.5', '+12']);
  expect([-2, -0.04, -0.6].map(signedTenths)).toEqual(['−2.0', '0.0', '−0.6']);
  expect([0, 0.504, 1].map(percent)).toEqual(['0 %', '50 %', '100 %']);
  expect([950, 1234, 34_400].map(brief)).toEqual(['950', '1.2k', '34k']);
});
