// A list of what is kept (games, records): each entry opens on a click and can be deleted
// after a question.

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { language } from '../lang';
import { announce } from './announce';
import { Question } from './Dialog';
import { focusOn } from './focus';
import { Icon } from './Icon';

export interface KeptEntry {
  id: string;
  address: string;
  /** What a screen reader calls it when it is to be deleted. */
  name: string;
  content: ComponentChildren;
}

interface KeptListProps {
  title: string;
  entries: readonly KeptEntry[];
  texts: { remove: string; removeTitle: string; removeText: string; removed: string };
  /** Removes an entry; false if it is still there. */
  onRemove: (id: string) => Promise<boolean>;
  /** Below the list. */
  children?: ComponentChildren;
}

export function KeptList({ title, entries, texts, onRemove, children }: KeptListProps) {
  const heading = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const remove = async (id: string) => {
    const left = entries.length - 1;
    if (!(await onRemove(id))) return;
    announce(texts.removed);
    focusOn(left > 0 ? heading : 'main');
  };
  return (
    <section class="games" aria-labelledby={heading}>
      <h2 id={heading} tabIndex={-1}>
        {title}
      </h2>
      <ul>
        {entries.map(({ id, address, name, content }) => (
          <li key={id} class="game-card" data-testid="kept">
            <a href={address}>{content}</a>
            <button
              class="tool"
              type="button"
              aria-label={`${texts.remove}: ${name}`}
              title={texts.remove}
              onClick={() => setAsked(id)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {children}
      {asked !== null && (
        <Question
          title={texts.removeTitle}
          text={texts.removeText}
          yes={texts.remove}
          onYes={() => void remove(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

/** A moment as a list shows it, in the person's own way of writing dates. */
export function momentText(ms: number): string {
  return new Intl.DateTimeFormat(language.value, {
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(ms);
}
