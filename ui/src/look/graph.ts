// The points of the lead graph that are known so far, and the scale they need.

import type { GraphPoint } from '../api/types';

export interface LeadPoint {
  /** Its place on the line, from 0. */
  at: number;
  /** Points Black is ahead by. */
  lead: number;
}

/** Scales the graph may have, in points; a fixed few, so that it does not jitter. */
const SCALES = [5, 10, 20, 40, 80];

/** Returns the known points of a line in the line's order. */
export function leadPoints(
  line: readonly number[],
  known: ReadonlyMap<number, GraphPoint>,
): LeadPoint[] {
  return line.flatMap((id, at) => {
    const point = known.get(id);
    return point ? [{ at, lead: point.lead_black }] : [];
  });
}

/** Returns the smallest scale that shows nearly all points whole. */
export function leadScale(points: readonly LeadPoint[]): number {
  const sizes = points.map(({ lead }) => Math.abs(lead)).sort((a, b) => a - b);
  const wanted = sizes[Math.floor(sizes.length * 0.95)] ?? 0;
  return SCALES.find((scale) => scale >= wanted) ?? SCALES.at(-1)!;
}
