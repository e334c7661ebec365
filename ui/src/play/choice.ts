// How a teaching partner chose, as it is listed and drawn on the board.

import type { ChoiceView, ConsideredView } from '../api/types';
import type { Spot } from '../board/Overlay';
import { signed } from '../look/numbers';

/** More than these would hide the board; the partner's list has its best first. */
const MOST = 8;
/** Points of loss up to which a move is as good as the best, and from which it is poor. */
const GOOD_LOSS = 0.05;
const POOR_LOSS = 3;

export interface LetteredMove {
  letter: string;
  candidate: ConsideredView;
}

/** Returns the first of the partner's list with letters; its best move is always in. */
export function letteredChoice({ candidates }: ChoiceView): LetteredMove[] {
  const lossOf = ({ loss }: ConsideredView) => loss ?? Infinity;
  const best = candidates.toSorted((a, b) => lossOf(a) - lossOf(b))[0];
  const first = candidates.slice(0, MOST);
  const shown =
    best && !first.includes(best) ? [...first.slice(0, MOST - 1), best] : first;
  return shown.map((candidate, i) => ({
    letter: String.fromCharCode(65 + i),
    candidate,
  }));
}

/** Returns the moves with their letters and what each gives away; `chosen` is ringed. */
export function choiceSpots(choice: ChoiceView, chosen: string): Spot[] {
  return letteredChoice(choice).map(({ letter, candidate: { move, loss } }) => ({
    vertex: move,
    letter,
    note: noteOf(loss),
    rank: rankOf(loss),
    chosen: move === chosen,
  }));
}

/** What a move gives away; there is no room for tenths of many points. */
function noteOf(loss: number | null | undefined): string {
  if (loss === null || loss === undefined) return '';
  const given = Math.max(0, loss);
  return signed(-(given < 10 ? given : Math.round(given)));
}

function rankOf(loss: number | null | undefined): Spot['rank'] {
  if (loss === null || loss === undefined) return 'other';
  return loss <= GOOD_LOSS ? 'best' : loss >= POOR_LOSS ? 'poor' : 'other';
}
