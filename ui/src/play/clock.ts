// What a clock shows some time after the server sent it. The server keeps the time and
// decides who lost on it; this only counts down between two messages.

import type { SideClock } from '../api/types';

export interface ClockFace {
  /** Time left in what runs now, in milliseconds. */
  left: number;
  /** Periods (byo-yomi) or stones (Canadian) left; null while main time lasts. */
  count: number | null;
}

/** Returns what `side` shows `elapsed` milliseconds after it was sent. */
export function faceAfter(side: SideClock, elapsed: number): ClockFace {
  const left = side.main_ms - elapsed;
  if (left > 0) return { left, count: null };
  return { left: Math.max(0, side.period_ms + left), count: side.count };
}

/** Returns a time as players read it: `1:02:03`, `9:05`, and tenths in the last ten seconds. */
export function timeText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
