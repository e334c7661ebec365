// An engine's candidates as they are drawn on the board.

import type { CandidateView } from '../api/types';
import type { Spot } from '../board/Overlay';
import { signed } from './numbers';

/** More than these would hide the board. */
const MOST = 8;
/** A candidate looked at less than this, compared with the first, says too little. */
const LEAST_SHARE = 0.01;
/** A loss, in points, from which a move is drawn as a poor one. */
const POOR_LOSS = 3;

export interface Lettered {
  letter: string;
  candidate: CandidateView;
  /** Points given away, compared with the first candidate. */
  loss: number;
}

/** Returns the candidates worth drawing with their letters; the chosen one is always in. */
export function lettered(
  candidates: readonly CandidateView[],
  chosen?: string,
): Lettered[] {
  const best = candidates[0];
  if (!best) return [];
  const shown = candidates.filter(
    (one, i) =>
      one.move === chosen || (i < MOST && one.visits >= best.visits * LEAST_SHARE),
  );
  return shown.map((candidate, i) => ({
    letter: String.fromCharCode(65 + i),
    candidate,
    loss: Math.max(0, best.lead - candidate.lead),
  }));
}

export function spotsOf(
  candidates: readonly CandidateView[],
  { chosen }: { chosen?: string | undefined } = {},
): Spot[] {
  return lettered(candidates, chosen).map(({ letter, candidate, loss }, i) => ({
    vertex: candidate.move,
    letter,
    note: signed(candidate.lead),
    rank: i === 0 ? 'best' : loss >= POOR_LOSS ? 'poor' : 'other',
    chosen: candidate.move === chosen,
  }));
}
