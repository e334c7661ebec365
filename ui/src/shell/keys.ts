// Shortcuts: one listener for the whole page, keys offered by what is on the screen.

import { useEffect, useRef } from 'preact/hooks';
import { settings } from '../settings';

export type Keys = Record<string, (() => void) | undefined>;

/** Returns the name under which a key press is looked up: `p`, `?`, `ArrowLeft`, … */
export function keyName(event: Pick<KeyboardEvent, 'key'>): string {
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** True where letters are text: in fields, lists and open dialogs. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest('input, select, textarea, [contenteditable], dialog[open]') !== null
  );
}

/** True for a letter that is held down: it would pass or take back turn after turn. */
export function isHeld(event: Pick<KeyboardEvent, 'key' | 'repeat'>): boolean {
  return event.repeat && /^\p{L}$/u.test(event.key);
}

const SCROLLING = /^(ArrowUp|ArrowDown|PageUp|PageDown|Home|End)$/;

/** True for a key that scrolls what has the focus: a long comment, a list of moves. */
function isScrolling(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!SCROLLING.test(event.key) || !(target instanceof HTMLElement)) return false;
  return (
    target.scrollHeight > target.clientHeight &&
    /auto|scroll/.test(getComputedStyle(target).overflowY)
  );
}

/** Offers shortcuts while the calling component is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (isTyping(event.target) || isHeld(event) || isScrolling(event)) return;
      const name = keyName(event);
      if (name.length === 1 && !settings.value.shortcuts) return;
      const act = latest.current[name];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
