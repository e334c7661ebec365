// What the server calls by an id, in the person's words. An id that is new to the page
// is shown as the server wrote it.

import type {
  About,
  Color,
  GameSettings,
  GameView,
  LevelOffer,
  PartnerOffer,
  StrengthOffer,
} from '../api/types';
import { words } from '../lang';
import { komiOf, usualKomi, type Choice } from './newGame';

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

/** Says in a sentence how a partner plays; nothing for one that is new to the page. */
export const partnerSentence = (id: string) => known(words.value.names.partnerTexts, id);

/** A level in a list; `now` is what `auto` stands for at present. */
export function levelName(level: string, now: string | null): string {
  const t = words.value;
  if (level !== 'auto') return t.names.rank(level);
  return t.newGame.levelAutoNow(now ?? '…');
}

/** Says what a level means, for `auto` and for ranks. */
export function levelText(offer: LevelOffer, measured: boolean): string {
  const t = words.value.newGame;
  const text =
    offer.id === 'auto'
      ? t.levelAuto
      : t.levelMeaning(offer.id, t.levelWho[bandOf(offer.id)], offer.fox ?? '?');
  return measured ? text : text + words.value.game.betweenSentences + t.levelGuess;
}

/** Whom a rank stands for, in four steps. */
function bandOf(rank: string): 'new' | 'basics' | 'regular' | 'strong' {
  const number = Number.parseInt(rank, 10);
  if (rank.endsWith('d')) return 'strong';
  return number > 20 ? 'new' : number > 10 ? 'basics' : 'regular';
}

/** Says what is chosen in the fold of the form and not as usual: it is kept for next time. */
export function unusualTexts(about: About, choice: Choice): string[] {
  const t = words.value;
  const said: string[] = [];
  if (choice.rules !== about.rules[0]?.id) said.push(rulesName(choice.rules));
  const komi = komiOf(choice.komi);
  if (komi != null && komi !== usualKomi(about, choice)) said.push(t.game.komi(komi));
  if (choice.handicap > 0) said.push(t.game.handicap(choice.handicap));
  if (choice.clock !== 'none')
    said.push(`${t.newGame.clock}: ${t.newGame.clocks[choice.clock]}`);
  return said;
}

/** Returns the partner of a game with its level or strength. */
export function partnerText(settings: GameSettings): string {
  const { partner, level, strength, style } = settings;
  const rank = level === null ? null : words.value.names.rank(level);
  const how = rank ?? (strength === null ? null : strengthName(strength));
  const name = partnerName({ id: partner, name: partner });
  return [name, how, style === null ? null : styleName(style)]
    .filter(Boolean)
    .join(' · ');
}

/** Returns the name of a player: the person's own, or the partner with its level. */
export function playerName({ settings }: GameView, color: Color): string {
  if (color !== settings.your_color) return partnerText(settings);
  return settings.your_name || words.value.game.you;
}
