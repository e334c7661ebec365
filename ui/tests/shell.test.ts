import { expect, test } from 'vitest';
import { addressOf, readRoute, type Route } from '../src/shell/router';
import { readSettings } from '../src/settings';
import { announce, announcement } from '../src/shell/announce';
import { isHeld, keyName } from '../src/shell/keys';

test('an address leads back to its page', () => {
  const routes: Route[] = [
    { page: 'play' },
    { page: 'game', id: 'a/b c' },
    { page: 'look' },
    { page: 'record', id: 'x' },
  ];
  for (const route of routes) expect(readRoute(addressOf(route))).toEqual(route);
});

test('an address that leads nowhere leads to the first page', () => {
  for (const hash of ['', '#', '#/', '#/game', '#/nothing/here', '#/game/']) {
    expect(readRoute(hash), hash).toEqual({ page: 'play' });
  }
  expect(readRoute('#/game/%E0%A4%A')).toEqual({ page: 'game', id: '%E0%A4%A' });
});

test('settings that make no sense are replaced one by one', () => {
  const usual = { theme: 'system', language: null, coordinates: true, shortcuts: true };
  for (const text of [null, '', '{', '7', 'null', '{"theme":"pink","coordinates":3}']) {
    expect(readSettings(text), String(text)).toEqual(usual);
  }
  const chosen = { theme: 'dark', language: 'ja', coordinates: false, shortcuts: false };
  expect(readSettings(JSON.stringify(chosen))).toEqual(chosen);
});

test('the same announcement twice is said twice', () => {
  announce('Black D4.');
  const first = announcement.value;
  announce('Black D4.');
  expect(announcement.value).not.toBe(first);
  expect(announcement.value.trim()).toBe('Black D4.');
});

test('letters are shortcuts in either case', () => {
  expect(keyName({ key: 'P' })).toBe('p');
  expect(keyName({ key: 'ArrowLeft' })).toBe('ArrowLeft');
});

test('a letter that is held down counts once, an arrow again and again', () => {
  for (const key of ['u', 'P', 'é'])
    expect(isHeld({ key, repeat: true }), key).toBe(true);
  for (const key of ['ArrowLeft', 'PageDown', '['])
    expect(isHeld({ key, repeat: true }), key).toBe(false);
  expect(isHeld({ key: 'u', repeat: false })).toBe(false);
});
