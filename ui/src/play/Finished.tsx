// After the game: the result, stepping through it, why the partner moved as it did, the
// record, and another game.

import { useEffect, useState } from 'preact/hooks';
import { autoLevel, games, records } from '../api/client';
import type { GameView } from '../api/types';
import { words } from '../lang';
import { Icon } from '../shell/Icon';
import { attempt, tell } from '../shell/notice';
import { go } from '../shell/router';
import { Steps } from '../shell/Steps';
import type { Game } from './game';
import { outcome } from './news';
import { requestAgain } from './newGame';
import { Count } from './Scoring';
import { WhyPanel } from './WhyPanel';

export function Finished({ game, view }: { game: Game; view: GameView }) {
  const t = words.value.game;
  const shown = game.shown.value ?? view.moves.length;
  const move = view.moves[shown - 1];
  return (
    <section class="card" aria-labelledby="finished">
      <h2 id="finished" tabIndex={-1}>
        {t.outcomes[outcome(view)]}
      </h2>
      <p class="result" data-testid="result" data-result={view.result}>
        {t.resultText(view.result ?? '')}
      </p>
      {view.settings.auto && <NextLevel />}
      {view.scoring && game.shown.value === null && <Count scoring={view.scoring} />}
      <Steps
        at={shown}
        of={view.moves.length}
        onGo={(to) => (to >= view.moves.length ? game.showLive() : void game.show(to))}
      />
      <button
        class="button button-wide"
        type="button"
        disabled={!move?.has_why}
        aria-keyshortcuts="W"
        onClick={() => move && void game.askWhy(move.number)}
      >
        <Icon name="help" />
        {t.why}
      </button>
      {!move?.has_why && <p class="hint">{t.whyHint}</p>}
      {game.why.value && (
        <WhyPanel why={game.why.value} onLine={(line) => (game.line.value = line)} />
      )}
      <Keep view={view} />
    </section>
  );
}

/** Where the automatic level went by this game. */
function NextLevel() {
  const t = words.value;
  const [level, setLevel] = useState<string | null>(null);
  useEffect(() => {
    // A level is no reason for a message; the form for the next game shows it too.
    autoLevel().then(
      ({ level }) => setLevel(level),
      () => undefined,
    );
  }, []);
  if (level === null) return null;
  return <p data-testid="next-level">{t.game.autoLevel(t.names.rank(level))}</p>;
}

/** The record of the game: to a file, to the clipboard, to the page that looks at it. */
function Keep({ view }: { view: GameView }) {
  const t = words.value.game;
  const [busy, setBusy] = useState(false);
  const look = async () => {
    setBusy(true);
    const name = `${view.black || t.you} – ${view.white || t.you}.sgf`;
    const record = await attempt(async () => records.add(name, await games.sgf(view.id)));
    setBusy(false);
    if (record) go({ page: 'record', id: record.id });
  };
  const again = async () => {
    setBusy(true);
    const next = await attempt(() => games.create(requestAgain(view.settings)));
    setBusy(false);
    if (next) go({ page: 'game', id: next.id });
  };
  return (
    <>
      <div class="row">
        <button class="button" type="button" disabled={busy} onClick={() => void look()}>
          <Icon name="look" />
          {t.lookAt}
        </button>
        <SgfButtons id={view.id} />
      </div>
      <button
        class="button button-main button-wide"
        type="button"
        disabled={busy}
        onClick={() => void again()}
      >
        {t.again}
      </button>
    </>
  );
}

/** Save as a file, and copy the text. */
export function SgfButtons({ id }: { id: string }) {
  const t = words.value.game;
  const copy = async () => {
    const text = await attempt(() => games.sgf(id));
    if (text === undefined) return;
    try {
      await navigator.clipboard.writeText(text);
      tell(t.copied);
    } catch {
      tell(t.notCopied, 'error');
    }
  };
  return (
    <>
      <a class="button" href={games.sgfAddress(id)} download>
        <Icon name="save" />
        {t.save}
      </a>
      <button class="button" type="button" onClick={() => void copy()}>
        <Icon name="copy" />
        {t.copy}
      </button>
    </>
  );
}
