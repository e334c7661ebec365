// The page's words in the chosen language. One file per language; the type of the
// English one is the list of what each must have.

import { computed } from '@preact/signals';
import { settings } from '../settings';
import { en } from './en';
import { ja } from './ja';
import { ko } from './ko';
import { zh } from './zh';

export type Words = typeof en;

export const LANGUAGES = { en, ja, zh, ko } as const satisfies Record<string, Words>;
export type Language = keyof typeof LANGUAGES;

/** Returns the first of the browser's languages that the page speaks, or English. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(code)) return code;
  }
  return 'en';
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

export const language = computed<Language>(() => {
  const chosen = settings.value.language;
  if (chosen && isLanguage(chosen)) return chosen;
  return preferred(typeof navigator === 'undefined' ? [] : navigator.languages);
});

export const words = computed<Words>(() => LANGUAGES[language.value]);
