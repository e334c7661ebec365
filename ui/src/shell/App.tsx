// The frame around every page: name, navigation, language, theme, help, notices, and the
// region that screen readers listen to.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reachable } from '../api/client';
import { GamePage } from '../play/GamePage';
import { PlayPage } from '../play/PlayPage';
import { LookPage } from '../look/LookPage';
import { RecordPage } from '../look/RecordPage';
import { LANGUAGES, language, words } from '../lang';
import { change, settings, type Theme } from '../settings';
import { announcement } from './announce';
import { Help } from './Help';
import { Icon } from './Icon';
import { useKeys } from './keys';
import { dismiss, notice } from './notice';
import { addressOf, go, route, type Route } from './router';

const NEXT_THEME: Record<Theme, Theme> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};

export function App() {
  const t = words.value;
  const [help, setHelp] = useState(false);
  useKeys({
    '?': () => setHelp(true),
    h: () => go({ page: 'play' }),
    l: () => go({ page: 'look' }),
  });
  useLayoutEffect(() => {
    document.documentElement.lang = t.code;
  }, [t]);
  const now = route.value;
  usePageChange(now);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {t.shell.skip}
      </a>
      <header class="top">
        <a class="brand" href={addressOf({ page: 'play' })} aria-label="shido">
          <Icon name="stones" />
          <span>shido</span>
        </a>
        <nav aria-label={t.shell.pages}>
          <Tab
            to={{ page: 'play' }}
            text={t.shell.play}
            on={now.page === 'play' || now.page === 'game'}
          />
          <Tab
            to={{ page: 'look' }}
            text={t.shell.look}
            on={now.page === 'look' || now.page === 'record'}
          />
        </nav>
        <div class="top-tools">
          <select
            class="language"
            aria-label={t.shell.language}
            value={language.value}
            onChange={(event) => change({ language: event.currentTarget.value })}
          >
            {Object.entries(LANGUAGES).map(([code, { name }]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
          <ThemeButton />
          <button
            class="tool"
            type="button"
            aria-label={t.help.title}
            title={t.help.title}
            onClick={() => setHelp(true)}
          >
            <Icon name="help" />
          </button>
        </div>
      </header>
      {!reachable.value && (
        <p class="banner" role="alert">
          {t.errors.stopped}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        <Page at={now} />
      </main>
      <Foot />
      <p class="unseen" aria-live="polite" data-testid="announcement">
        {announcement.value}
      </p>
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  );
}

/** Names the page for the window, and brings the focus to it when it has changed. */
function usePageChange(now: Route): void {
  const t = words.value.shell;
  const title = now.page === 'play' || now.page === 'game' ? t.play : t.look;
  useEffect(() => {
    document.title = `${title} – shido`;
  }, [title]);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) document.getElementById('main')?.focus();
    first.current = false;
  }, [addressOf(now)]);
}

function Page({ at }: { at: Route }) {
  switch (at.page) {
    case 'game':
      return <GamePage key={at.id} id={at.id} />;
    case 'look':
      return <LookPage />;
    case 'record':
      return <RecordPage key={at.id} id={at.id} />;
    default:
      return <PlayPage />;
  }
}

function Tab({ to, text, on }: { to: Route; text: string; on: boolean }) {
  return (
    <a class="tab" href={addressOf(to)} aria-current={on ? 'page' : undefined}>
      {text}
    </a>
  );
}

function ThemeButton() {
  const t = words.value.shell;
  const theme = settings.value.theme;
  const label = `${t.theme}: ${t.themes[theme]}`;
  return (
    <button
      class="tool"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => change({ theme: NEXT_THEME[theme] })}
      data-testid="theme"
    >
      <Icon name={theme} />
    </button>
  );
}

function Foot() {
  const now = notice.value;
  if (!now) return null;
  return (
    <div
      class={`notice notice-${now.kind}`}
      role={now.kind === 'error' ? 'alert' : 'status'}
    >
      <span>{now.text}</span>
      <button
        class="tool"
        type="button"
        aria-label={words.value.common.close}
        onClick={dismiss}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The address after `#` is the page, so the link's own jump must not change it. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
