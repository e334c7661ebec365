// Where the focus goes when what had it is gone: without a hand it falls to the top of the
// page, and whoever uses the keyboard has to walk all the way again.

import { useEffect, useRef } from 'preact/hooks';

/** Puts the focus on the element with this id; false if there is none. */
export function focusOn(id: string): boolean {
  const element = document.getElementById(id);
  element?.focus();
  return element !== null;
}

/** True when the element that had the focus was removed. */
const isLost = () =>
  document.activeElement === null || document.activeElement === document.body;

/** Brings a focus that is lost to the element with this id, whenever `now` has changed. */
export function useFocusAfter(now: unknown, id: string): void {
  const before = useRef(now);
  useEffect(() => {
    if (before.current !== undefined && before.current !== now && isLost()) focusOn(id);
    before.current = now;
  }, [now]);
}
