// Why the partner moved, in sentences: what decided, what it wanted to give away, what else
// had a part. What is new to the page is said as the server wrote it.

import type { Why } from '../api/types';
import type { Words } from '../lang';

const said = (table: Record<string, string | undefined>, id: string) => table[id] ?? id;

export function whySaid({ choice, reason, move }: Why, { game: t }: Words): string {
  if (!choice) return said(t.reasons, reason);
  const sentences = [said(t.rules, choice.rule)];
  const wanted = choice.target_loss;
  const given = choice.candidates.find((one) => one.move === move)?.loss;
  if (typeof wanted === 'number' && typeof given === 'number')
    sentences.push(t.target(wanted, Math.max(0, given)));
  sentences.push(...choice.notes.map((note) => said(t.notes, note)));
  return sentences.join(t.betweenSentences);
}

/** Why a move was left out, in a few words. */
export const asideSaid = (id: string, { game: t }: Words) => said(t.setAside, id);
