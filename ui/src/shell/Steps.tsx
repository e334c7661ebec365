// Buttons to step through moves: to the start, back, on, to the end.

import { words } from '../lang';
import { Icon, type IconName } from './Icon';

interface StepsProps {
  at: number;
  of: number;
  onGo: (to: number) => void;
}

export function Steps({ at, of, onGo }: StepsProps) {
  const t = words.value.steps;
  // A button that is off keeps the focus, at the start and at the end.
  const off = (to: number) => to < 0 || to > of || to === at;
  const button = (icon: IconName, label: string, to: number) => (
    <button
      class="tool"
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={off(to)}
      onClick={() => !off(to) && onGo(to)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="steps" role="group" aria-label={t.group}>
      {button('first', t.first, 0)}
      {button('previous', t.previous, at - 1)}
      <span class="steps-at" data-testid="step">
        {t.at(at, of)}
      </span>
      {button('next', t.next, at + 1)}
      {button('last', t.last, of)}
    </div>
  );
}
