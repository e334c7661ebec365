// The form for a new game, as data: what is chosen, and the request that it becomes.
// The last choice is kept in this browser and offered again.

import type { About, ClockSettings, GameSettings, NewGame } from '../api/types';
import { load, save } from '../settings';

export type ClockChoice = 'none' | 'relaxed' | 'normal' | 'fast' | 'own';

export interface Choice {
  size: number;
  rules: string;
  /** As typed; empty for the usual komi of the rules and handicap. */
  komi: string;
  handicap: number;
  color: 'black' | 'white' | 'random';
  partner: string;
  strength: string | null;
  level: string | null;
  style: string | null;
  quick: boolean;
  clock: ClockChoice;
  mainMinutes: number;
  periodSeconds: number;
  periods: number;
  name: string;
}

/** The clocks offered by name: main time in seconds, then periods of byo-yomi. */
export const CLOCKS: Record<
  Exclude<ClockChoice, 'none' | 'own'>,
  Omit<ByoYomi, 'kind'>
> = {
  relaxed: { main_s: 1800, period_s: 60, periods: 3 },
  normal: { main_s: 600, period_s: 30, periods: 3 },
  fast: { main_s: 60, period_s: 10, periods: 5 },
};

type ByoYomi = Extract<ClockSettings, { kind: 'byo_yomi' }>;

const KEY = 'shido.new-game';

/** Returns the choice the form starts with: the last one, where it is still offered. */
export function startingChoice(about: About, kept: string | null = load(KEY)): Choice {
  const last = readKept(kept);
  const partner =
    about.partners.find(({ id }) => id === last.partner) ?? about.partners[0];
  const among = <T>(value: T | undefined, all: readonly T[], usual: T): T =>
    value !== undefined && all.includes(value) ? value : usual;
  const strengths = partner?.strengths ?? [];
  const usualStrength = strengths.find((one) => one.default) ?? strengths[0];
  const sizes = about.sizes.map(({ size }) => size);
  const rules = about.rules.map(({ id }) => id);
  const levels = partner?.levels.map(({ id }) => id) ?? [];
  const usualLevel = partner?.levels.find((one) => one.default)?.id ?? levels[0] ?? null;
  const styles = [null, ...(partner?.styles.map(({ id }) => id) ?? [])];
  const size = among(last.size, sizes, sizes[0] ?? 9);
  return {
    size,
    rules: among(last.rules, rules, rules[0] ?? ''),
    komi:
      typeof last.komi === 'string' && komiOf(last.komi) !== undefined ? last.komi : '',
    handicap: among(last.handicap, handicapsFor(about, size), 0),
    color: among(last.color, ['black', 'white', 'random'], 'black'),
    partner: partner?.id ?? '',
    strength:
      among(last.strength, [null, ...strengths.map(({ id }) => id)], null) ??
      usualStrength?.id ??
      null,
    level: among(last.level, [null, ...levels], null) ?? usualLevel,
    style: among(last.style, styles, null),
    quick: last.quick === true,
    clock: among(last.clock, ['none', 'relaxed', 'normal', 'fast', 'own'], 'none'),
    mainMinutes: within(last.mainMinutes, 0, 600, 10),
    periodSeconds: within(last.periodSeconds, 1, 3600, 30),
    periods: within(last.periods, 1, 99, 3),
    name: typeof last.name === 'string' ? last.name.slice(0, 60) : '',
  };
}

function readKept(text: string | null): Partial<Choice> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function within(value: unknown, least: number, most: number, usual: number): number {
  return typeof value === 'number' && value >= least && value <= most ? value : usual;
}

/** Returns the handicaps to choose from: none, or two and more. */
export function handicapsFor(about: About, size: number): number[] {
  const most = about.sizes.find((one) => one.size === size)?.max_handicap ?? 0;
  return [0, ...Array.from({ length: Math.max(0, most - 1) }, (_, i) => i + 2)];
}

/** Returns the komi of the rules and handicap chosen, unless one is typed. */
export function usualKomi(about: About, { rules, handicap }: Choice): number {
  const offer = about.rules.find(({ id }) => id === rules);
  return (handicap > 0 ? offer?.handicap_komi : offer?.komi) ?? 0;
}

/** Returns the komi typed: null for the usual one, undefined if it is no komi. */
export function komiOf(text: string): number | null | undefined {
  const plain = text.normalize('NFKC').trim().replace(',', '.');
  if (plain === '') return null;
  const komi = Number(plain);
  return Number.isFinite(komi) && Math.abs(komi) <= 150 && Number.isInteger(komi * 2)
    ? komi
    : undefined;
}

/** Returns the request for a game as chosen. */
export function requestOf(choice: Choice): NewGame {
  return {
    size: choice.size,
    rules: choice.rules,
    komi: komiOf(choice.komi) ?? null,
    handicap: choice.handicap,
    your_color: choice.color,
    partner: choice.partner,
    strength: choice.strength,
    level: choice.level,
    style: choice.style,
    pace: choice.quick ? 'quick' : 'natural',
    clock: clockOf(choice),
    your_name: choice.name.trim() || null,
  };
}

function clockOf(choice: Choice): ClockSettings | null {
  if (choice.clock === 'none') return null;
  if (choice.clock !== 'own') return { kind: 'byo_yomi', ...CLOCKS[choice.clock] };
  return {
    kind: 'byo_yomi',
    main_s: Math.round(choice.mainMinutes * 60),
    period_s: Math.round(choice.periodSeconds),
    periods: Math.round(choice.periods),
  };
}

/** Returns the request for another game like one that was played. */
export function requestAgain({ auto, ...settings }: GameSettings): NewGame {
  return {
    ...settings,
    level: auto ? 'auto' : settings.level,
    your_name: settings.your_name || null,
  };
}

export function keepChoice(choice: Choice): void {
  save(KEY, JSON.stringify(choice));
}
