// What a person chose about the page itself, kept in this browser: theme, language,
// coordinates, shortcuts. A browser that keeps nothing just forgets it.

import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export interface Settings {
  theme: Theme;
  /** A language code, or null to follow the browser. */
  language: string | null;
  coordinates: boolean;
  /** Single letters as shortcuts (P, U, …); some speech input types letters by itself. */
  shortcuts: boolean;
}

const KEY = 'shido.settings';
const DEFAULTS: Settings = {
  theme: 'system',
  language: null,
  coordinates: true,
  shortcuts: true,
};

/** Returns the settings in `text`, each value that makes no sense replaced by the default. */
export function readSettings(text: string | null): Settings {
  let found: Partial<Record<keyof Settings, unknown>> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) found = value;
  } catch {
    // Not ours, or cut short: begin anew.
  }
  const { theme, language, coordinates, shortcuts } = found;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : DEFAULTS.theme,
    language: typeof language === 'string' ? language : DEFAULTS.language,
    coordinates: typeof coordinates === 'boolean' ? coordinates : DEFAULTS.coordinates,
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : DEFAULTS.shortcuts,
  };
}

export const settings = signal<Settings>(readSettings(load(KEY)));

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** Keeps the settings and applies the theme, now and after every change. */
export function followSettings(): void {
  effect(() => {
    save(KEY, JSON.stringify(settings.value));
    document.documentElement.dataset['theme'] = settings.value.theme;
  });
}

/** Reads a kept text; null where there is none or the browser keeps nothing. */
export function load(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser, if it keeps anything. */
export function save(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Private windows may refuse; nothing depends on it.
  }
}
