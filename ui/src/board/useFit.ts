// How large the board may be drawn in the room its frame has.

import type { Size } from './vertex';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

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
  const margin = coordinates ? (room < 480 ? 14 : 26) : room < 480 ? 4 : 10;
  const lines = Math.max(size.width, size.height);
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
    // The same width as in style/play.css.
    const stacked = matchMedia('(max-width: 860px)');
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      // Above the side on a phone, the board is as high as it likes to be.
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
