// A game with a partner: playing, counting, and looking back at it.

import { useEffect, useState } from 'preact/hooks';
import { Board, type BoardProps } from '../board/Board';
import { signAt } from '../board/signs';
import { placeOf, readTypedMove } from '../board/vertex';
import type { GameView, PositionView, Why } from '../api/types';
import { words } from '../lang';
import { Question } from '../shell/Dialog';
import { useFocusAfter } from '../shell/focus';
import { Icon } from '../shell/Icon';
import { useKeys, type Keys } from '../shell/keys';
import { tell } from '../shell/notice';
import { addressOf } from '../shell/router';
import { Actions } from './Actions';
import { choiceSpots } from './choice';
import { Finished } from './Finished';
import { Game } from './game';
import { Moves } from './Moves';
import { playerName } from './names';
import { Players } from './Players';
import { Scoring } from './Scoring';
import { Status } from './Status';
import { spotsOf } from '../look/candidates';
import { numbered } from '../look/lines';

export function GamePage({ id }: { id: string }) {
  const [game] = useState(() => new Game(id));
  const [resigning, setResigning] = useState(false);
  useEffect(() => {
    void game.check();
    return game.follow();
  }, [game]);
  const t = words.value;
  const view = game.view.value;
  const position = game.position.value;
  useKeys(view ? keysFor(game, view, () => setResigning(true)) : {});
  useFocusAfter(view?.phase, view?.phase === 'finished' ? 'finished' : 'board');

  if (game.gone.value) return <Gone text={game.gone.value} />;
  if (!view || !position) return <p class="waiting">{t.common.loading}</p>;
  return (
    <div class="table">
      <h1 class="unseen">
        {t.game.title(playerName(view, 'black'), playerName(view, 'white'))}
      </h1>
      <Players game={game} view={view} position={position} />
      <GameBoard game={game} view={view} position={position} />
      <aside class="side">
        {view.phase !== 'finished' && <Status game={game} view={view} />}
        {view.phase === 'playing' && (
          <>
            <Actions game={game} view={view} onResign={() => setResigning(true)} />
            <TypedMove game={game} position={position} />
          </>
        )}
        {view.phase === 'scoring' && <Scoring game={game} view={view} />}
        {view.phase === 'finished' && <Finished game={game} view={view} />}
        <Moves game={game} view={view} />
      </aside>
      {resigning && (
        <Question
          title={t.game.resignTitle}
          text={t.game.resignText}
          yes={t.game.resign}
          onYes={() => void game.play('resign')}
          onClose={() => setResigning(false)}
        />
      )}
    </div>
  );
}

interface GameBoardProps {
  game: Game;
  view: GameView;
  position: PositionView;
}

function GameBoard({ game, view, position }: GameBoardProps) {
  const t = words.value;
  const why = game.why.value;
  const line = game.line.value;
  const live = game.shown.value === null;
  const scoring = live && view.phase !== 'playing' ? view.scoring : null;
  return (
    <div class="board-area">
      <Board
        size={position}
        stones={position.stones}
        label={t.game.boardLabel}
        turn={view.settings.your_color}
        stars={position.stars}
        last={why || scoring ? null : lastPoint(position)}
        pending={game.pending.value ?? game.sent.value}
        marks={line ? numbered(line) : []}
        candidates={why && !line ? spotsOfWhy(why) : []}
        ownership={live ? game.estimate.value?.ownership : null}
        territory={scoring?.territory}
        dead={scoring?.dead ?? []}
        {...choosing(game, view)}
      />
    </div>
  );
}

/**
 * What choosing a point does. Until the game is over the board is in use at every moment,
 * so that it keeps the focus, and says what it waits for.
 */
function choosing(game: Game, view: GameView): Partial<BoardProps> {
  if (view.phase === 'finished') return {};
  if (game.shown.value !== null)
    return { canChoose: () => false, onChoose: () => back(game) };
  if (view.phase === 'playing') return playing(game, view);
  if (view.scoring?.ready)
    return { onChoose: (vertex) => chooseDead(game, view.position, vertex) };
  return { canChoose: () => false, onChoose: () => tell(words.value.game.counting) };
}

/** A point of an old position is not played; the game as it stands is shown instead. */
function back(game: Game): void {
  game.showLive();
  tell(words.value.game.backAgain);
}

/** What the partner considered: by its own rule, or by a search alone. */
function spotsOfWhy({ choice, candidates, move }: Why) {
  return choice ? choiceSpots(choice, move) : spotsOf(candidates, { chosen: move });
}

const lastPoint = (position: PositionView) => position.last_move?.move ?? null;

function playing(game: Game, { position, your_turn }: GameView): Partial<BoardProps> {
  const may = (vertex: string) =>
    your_turn && isEmpty(position, vertex) && !position.forbidden.includes(vertex);
  return {
    canChoose: may,
    onChoose: (vertex, sure) => {
      if (!your_turn) tell(words.value.errors.byCode.not_your_turn, 'error');
      else if (!may(vertex)) tell(refusal(position, vertex), 'error');
      else if (sure || game.pending.value === vertex) void game.play(vertex);
      else game.pending.value = vertex;
    },
  };
}

/** The server would refuse it too; its list of forbidden points saves the question. */
function refusal(position: PositionView, vertex: string): string {
  const t = words.value.game;
  if (!isEmpty(position, vertex)) return t.occupied(vertex);
  return position.ko === vertex ? t.ko(vertex) : t.forbidden(vertex);
}

function isEmpty(position: PositionView, vertex: string): boolean {
  const place = placeOf(vertex, position);
  return place !== null && signAt(position.stones, place, position) === 0;
}

function chooseDead(game: Game, position: PositionView, vertex: string): void {
  if (!isEmpty(position, vertex)) void game.toggleDead(vertex);
}

function keysFor(game: Game, view: GameView, resign: () => void): Keys {
  const back: Keys = {
    Home: () => void game.show(0),
    End: () => game.showLive(),
    '[': () => game.step(-1),
    ']': () => game.step(1),
  };
  switch (view.phase) {
    case 'playing':
      return {
        ...back,
        p: view.your_turn ? () => void game.play('pass') : undefined,
        u: view.can_undo ? () => void game.undo() : undefined,
        r: resign,
        e: () => void game.toggleEstimate(),
      };
    case 'scoring':
      return { ...back, a: () => void game.agree(), c: () => void game.resume() };
    case 'finished':
      return {
        ...back,
        ArrowLeft: () => game.step(-1),
        ArrowRight: () => game.step(1),
        w: () => askAboutShown(game, view),
      };
  }
}

/** Asks why about the move shown, or about the partner's move just before it. */
function askAboutShown(game: Game, view: GameView): void {
  const shown = game.shown.value ?? view.moves.length;
  const move = view.moves.slice(0, shown).findLast((one) => one.has_why);
  if (move) void game.askWhy(move.number);
}

/** A move by its coordinates, for those who do not use the board. */
function TypedMove({ game, position }: { game: Game; position: PositionView }) {
  const t = words.value.game;
  const [text, setText] = useState('');
  const confirm = game.pending.value;
  if (confirm) {
    return (
      <div class="row">
        <button
          class="button button-main button-wide"
          type="button"
          onClick={() => void game.play(confirm)}
        >
          <Icon name="check" />
          {t.confirm(confirm)}
        </button>
      </div>
    );
  }
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const move = readTypedMove(text, position);
    if (!move) return tell(t.notAMove(text), 'error');
    if (await game.play(move)) setText('');
  };
  return (
    <form class="typed" onSubmit={onSubmit}>
      <label for="typed-move">{t.typed}</label>
      <input
        id="typed-move"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        maxLength={6}
        placeholder="D4"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={text.trim() === ''}>
        {t.playTyped}
      </button>
    </form>
  );
}

function Gone({ text }: { text: string }) {
  return (
    <div class="card narrow">
      <h1>{words.value.game.gone}</h1>
      <p>{text}</p>
      <a class="button button-main" href={addressOf({ page: 'play' })}>
        {words.value.game.toGames}
      </a>
    </div>
  );
}
