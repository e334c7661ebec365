// What the server calls by an id, in the person's words. An id that is new to the page
// is shown as the server wrote it.

import type { GameSettings, PartnerOffer, StrengthOffer } from '../api/types';
import { words } from '../lang';

const known = (table: Record<string, string | undefined>, id: string) => table[id];

export const rulesName = (id: string) => known(words.value.names.rules, id) ?? id;

export const partnerName = (partner: Pick<PartnerOffer, 'id' | 'name'>) =>
  known(words.value.names.partners, partner.id) ?? partner.name;

export const strengthName = (id: string) => known(words.value.names.strengths, id) ?? id;

export const styleName = (id: string) => known(words.value.names.styles, id) ?? id;

/** Says how hard a partner thinks: the classic engine by games, others by positions. */
export function strengthText(partner: string, { playouts }: StrengthOffer): string {
  const t = words.value.newGame;
  return partner === 'classic' ? t.playouts(playouts) : t.evaluations(playouts);
}

/** Says what a level means, for `auto` and for ranks. */
export function levelText(level: string | null): string | undefined {
  if (level === null) return undefined;
  const t = words.value.newGame;
  return level === 'auto' ? t.levelAuto : t.levelMeaning(level);
}

/** Returns the partner of a game with its level or strength. */
export function partnerText(settings: GameSettings): string {
  const { partner, level, strength, style } = settings;
  const how = level ?? (strength === null ? null : strengthName(strength));
  const name = partnerName({ id: partner, name: partner });
  return [name, how, style === null ? null : styleName(style)]
    .filter(Boolean)
    .join(' · ');
}
