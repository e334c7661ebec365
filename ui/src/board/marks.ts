// Marks of a game record (triangles, labels and so on) as Shudan's marker map.

import type { Map as Grid, Marker } from '@sabaki/shudan';
import { placeOf, type Size } from './vertex';

export type MarkKind = 'triangle' | 'square' | 'circle' | 'cross' | 'selected' | 'label';

export interface Mark {
  vertex: string;
  kind: MarkKind;
  label?: string | undefined;
}

/** Returns the marks at their places; the last one wins where two share a point. */
export function markerMap(marks: readonly Mark[], size: Size): Grid<Marker | null> {
  const grid: Grid<Marker | null> = Array.from({ length: size.height }, () =>
    Array<Marker | null>(size.width).fill(null),
  );
  for (const { vertex, kind, label } of marks) {
    const place = placeOf(vertex, size);
    if (!place) continue;
    const type = kind === 'selected' ? 'point' : kind;
    grid[place[1]]![place[0]] =
      type === 'label' ? { type, label: label ?? '' } : { type };
  }
  return grid;
}
