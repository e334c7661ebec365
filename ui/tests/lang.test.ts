import { expect, test } from 'vitest';
import { LANGUAGES, preferred } from '../src/lang';

type Tree = string | ((...args: never[]) => string) | { [key: string]: Tree };

/** Lists every text with its path; those with arguments are called. */
function texts(tree: Tree, path = ''): [path: string, text: string][] {
  if (typeof tree === 'string') return [[path, tree]];
  if (typeof tree === 'function') return [[path, call(tree)]];
  return Object.entries(tree).flatMap(([key, value]) => texts(value, `${path}.${key}`));
}

/** Some arguments that every function of the language files takes in its own way. */
function call(text: (...args: never[]) => string): string {
  const args = ['black', 7, 'D4'] as unknown as never[];
  return String(text(...args));
}

/** Nothing to say when all is known, and nothing between sentences in some languages. */
const MAY_BE_EMPTY = /graphOf|betweenSentences/;

const english = texts(LANGUAGES.en as unknown as Tree);

test.each(Object.entries(LANGUAGES))('%s has every text', (code, language) => {
  const own = texts(language as unknown as Tree);
  expect(own.map(([path]) => path)).toEqual(english.map(([path]) => path));
  for (const [path, text] of own) {
    if (!MAY_BE_EMPTY.test(path)) expect(text.trim(), path).not.toBe('');
    expect(text, path).not.toMatch(/undefined|\[object/);
  }
  expect(language.code).toBe(code);
});

test.each(['ja', 'zh', 'ko'] as const)('%s is translated', (code) => {
  const own = new Map(texts(LANGUAGES[code] as unknown as Tree));
  // Names, keys and bare numbers are the same everywhere.
  const same = english.filter(
    ([path, text]) => own.get(path) === text && /[a-z]{3}/i.test(text),
  );
  const keys = /^(Enter|Esc|PgUp PgDn|Home End)$/;
  const bare = ['.game.move', '.steps.at'];
  const left = same.filter(([path, text]) => !keys.test(text) && !bare.includes(path));
  expect(left).toEqual([]);
});

test('results read as sentences', () => {
  const of = (code: keyof typeof LANGUAGES, result: string) =>
    LANGUAGES[code].game.resultText(result);
  expect(of('en', 'B+3.5')).toBe('Black wins by 3.5 points.');
  expect(of('en', 'W+1')).toBe('White wins by 1 point.');
  expect(of('en', 'W+T')).toBe('White wins on time.');
  expect(of('en', '0')).toBe('The game is a draw.');
  expect(of('ja', 'W+0.5')).toBe('白の半目勝ちです。');
  expect(of('ja', 'B+3.5')).toBe('黒の3目半勝ちです。');
  expect(of('ja', 'B+R')).toBe('黒の中押し勝ちです。');
  expect(of('zh', 'W+R')).toBe('白中盘胜。');
  expect(of('ko', 'B+2.5')).toBe('흑 2집 반 승입니다.');
});

test('the browser’s first language that is spoken here is taken', () => {
  expect(preferred(['fr-FR', 'ja-JP', 'en'])).toBe('ja');
  expect(preferred(['zh-Hant-TW'])).toBe('zh');
  expect(preferred(['fr'])).toBe('en');
  expect(preferred(['constructor'])).toBe('en');
  expect(preferred([])).toBe('en');
});
