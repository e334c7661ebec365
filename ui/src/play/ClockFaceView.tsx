// A player's clock, counting down between the server's messages.

import { useEffect, useState } from 'preact/hooks';
import type { ClockSettings, SideClock } from '../api/types';
import { words } from '../lang';
import { faceAfter, timeText } from './clock';

interface ClockProps {
  side: SideClock;
  kind: ClockSettings['kind'];
  running: boolean;
  /** When the clock's values arrived, by `performance.now()`. */
  since: number;
}

const TICK_MS = 200;
const LOW_MS = 10_000;

export function ClockFaceView({ side, kind, running, since }: ClockProps) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  const t = words.value.game;
  const face = faceAfter(side, running ? Math.max(0, now - since) : 0);
  const low = running && face.left < LOW_MS;
  const overtime = kind === 'canadian' ? t.stonesLeft : t.periodsLeft;
  return (
    <div
      class={`clock ${running ? 'clock-on' : ''} ${low ? 'clock-low' : ''}`}
      role="timer"
    >
      <span class="clock-time">{timeText(face.left)}</span>
      {face.count !== null && kind !== 'absolute' && (
        <span class="clock-count">{overtime(face.count)}</span>
      )}
    </div>
  );
}
