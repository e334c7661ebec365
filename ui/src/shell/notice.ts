// Errors and small news for the person, one at a time at the foot of the page. Screen
// readers hear them by their role; they are not announced a second time.

import { signal } from '@preact/signals';
import { ApiError } from '../api/client';
import { words } from '../lang';

export interface Notice {
  text: string;
  kind: 'news' | 'error';
}

export const notice = signal<Notice | null>(null);

const SHOWN_MS = { news: 3000, error: 8000 };
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, kind: Notice['kind'] = 'news'): void {
  clearTimeout(timer);
  notice.value = { text, kind };
  timer = setTimeout(() => (notice.value = null), SHOWN_MS[kind]);
}

export function dismiss(): void {
  clearTimeout(timer);
  notice.value = null;
}

/** Returns the failure in the person's language; the server's own words where we have none. */
export function explain(failure: unknown): string {
  const t = words.value.errors;
  if (!(failure instanceof ApiError)) return t.internal(String(failure));
  // Why a record is refused differs from one to the next; the server says it.
  if (failure.code === 'bad_record') return t.badRecord(failure.message);
  const known: Record<string, string | undefined> = t.byCode;
  return known[failure.code] ?? t.internal(failure.message);
}

/** Runs a request and tells its failure; returns what it gave, or undefined. */
export async function attempt<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (failure) {
    // A stopped server has a banner of its own.
    if (!(failure instanceof ApiError && failure.code === 'offline')) {
      tell(explain(failure), 'error');
    }
    return undefined;
  }
}
