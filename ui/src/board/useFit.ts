// How large the board may be drawn in the room its frame has.

import type { Size } from './vertex';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Where the board is above the side: the same as in style/play.css. */
const STACKED = '(max-width: 539px), (max-width: 860px) and (orientation: portrait)';

export interface Fit {
  /** Pixels between two lines; Shudan's vertex size. */
  cell: number;
  /** Pixels around the outermost cells, for coordinates or as a border. */
  margin: number;
}

/** Returns cell and margin for a board in a square of `room` pixels. */
export function fitInto(
  room: number,
  size: Size,
  coordinates: boolean,
  density = 1,
): Fit {
  const lines = Math.max(size.width, size.height);
  // Coordinates are the larger the fewer lines there are (see style/board.css).
  const narrow = lines <= 13 ? 20 : 14;
  const margin = coordinates ? (room < 480 ? narrow : 26) : room < 480 ? 4 : 10;
  const cell = Math.floor(((room - 2 * margin) / lines) * density) / density;
  return { cell: Math.min(76, Math.max(12, cell)), margin };
}

/** Measures the element that gets `ref`, now and whenever its room changes. */
export function useFit(size: Size, coordinates: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(320);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const stacked = matchMedia(STACKED);
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      // Above the side on a phone, the width leaves room for what is above and below.
      setRoom(stacked.matches ? clientWidth : Math.min(clientWidth, clientHeight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const density = typeof devicePixelRatio === 'number' ? devicePixelRatio : 1;
  return { ref, ...fitInto(room, size, coordinates, density) };
}
