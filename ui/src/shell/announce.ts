// What screen readers should say now: moves, captures, results, errors.
//
// One polite region holds the text (see App). The same text twice is made to differ by a
// trailing no-break space, or it would be said once only.

import { signal } from '@preact/signals';

export const announcement = signal('');

export function announce(text: string): void {
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
