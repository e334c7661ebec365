// Walking a record's tree and laying it out for drawing. Nodes come in a list where a
// node's id is its place; nothing here knows what the moves mean.

import type { TreeNode } from '../api/types';

type Nodes = readonly TreeNode[];

/** Returns the ids from the root through `id`, then along first children to the end. */
export function lineThrough(nodes: Nodes, id: number): number[] {
  const line: number[] = [];
  for (let at: number | null | undefined = id; at != null; at = nodes[at]?.parent) {
    line.push(at);
  }
  line.reverse();
  for (let at = nodes[id]?.children[0]; at !== undefined; at = nodes[at]?.children[0]) {
    line.push(at);
  }
  return line;
}

/** Returns the line to go on with at `id`: the present one if `id` is on it. */
export function keepLine(
  nodes: Nodes,
  line: readonly number[],
  id: number,
): readonly number[] {
  return line.includes(id) ? line : lineThrough(nodes, id);
}

/** Returns the next or previous variation at this point, or at the nearest branch before. */
export function sibling(nodes: Nodes, id: number, by: 1 | -1): number | null {
  for (let at: number | null | undefined = id; at != null; at = nodes[at]?.parent) {
    const parent: number | null | undefined = nodes[at]?.parent;
    const all = parent == null ? [] : (nodes[parent]?.children ?? []);
    const other = all[all.indexOf(at) + by];
    if (all.length > 1 && other !== undefined) return other;
  }
  return null;
}

/** Returns how many moves a node is from the root. */
export function depthOf(nodes: Nodes, id: number): number {
  let depth = 0;
  for (let at = nodes[id]?.parent; at != null; at = nodes[at]?.parent) depth += 1;
  return depth;
}

/** Where a node is drawn: columns to the right, rows down. */
export interface Spot {
  id: number;
  column: number;
  row: number;
}

/**
 * Returns a place for each node. A first child continues its parent's row; every other
 * branch starts in the first row below that is free from its start to its end.
 */
export function layOut(nodes: Nodes): Spot[] {
  const spots: Spot[] = [];
  /** For each row, the column from which on it is taken; branches come right to left. */
  const takenFrom: number[] = [];
  // A stack instead of recursion: a hostile file may nest variations very deeply.
  const waiting = nodes.length > 0 ? [{ start: 0, column: 0, least: 0 }] : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { start, column, least } = next;
    const branch: number[] = [];
    for (
      let at: number | undefined = start;
      at !== undefined;
      at = nodes[at]?.children[0]
    ) {
      branch.push(at);
    }
    let row = least;
    while ((takenFrom[row] ?? Infinity) < column + branch.length) row += 1;
    takenFrom[row] = column - 1;
    branch.forEach((id, i) => {
      spots[id] = { id, column: column + i, row };
      // The last pushed is placed first: branches at the end lie highest, and no lines cross.
      const others = nodes[id]?.children.slice(1).reverse() ?? [];
      for (const other of others) {
        waiting.push({ start: other, column: column + i + 1, least: row + 1 });
      }
    });
  }
  return spots;
}
