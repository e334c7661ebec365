// One game as the page knows it: the server's latest view, and what the person is doing
// with it (looking back, estimating, asking why). Every change comes from the server.

import { computed, signal } from '@preact/signals';
import { ApiError, games } from '../api/client';
import { listen } from '../api/stream';
import type { Estimate, GameView, PositionView, Thinking, Why } from '../api/types';
import { words } from '../lang';
import { announce } from '../shell/announce';
import { attempt, explain, tell } from '../shell/notice';
import { news } from './news';
import { whySaid } from './whySaid';

/** Returns the later of two views; an answer may come after the event that follows it. */
export function later(known: GameView | null, arrived: GameView): GameView {
  return known && known.updated_ms > arrived.updated_ms ? known : arrived;
}

export class Game {
  readonly view = signal<GameView | null>(null);
  /** When the view arrived, by this browser's clock; the game clocks count from it. */
  readonly arrived = signal(0);
  readonly thinking = signal<Thinking | null>(null);
  readonly estimate = signal<Estimate | null>(null);
  /** Whether an estimate is asked for and not there yet. */
  readonly estimating = signal(false);
  readonly why = signal<Why | null>(null);
  /** A line of the partner's that is drawn on the board. */
  readonly line = signal<readonly string[] | null>(null);
  /** The move count that is shown, or null for the game as it stands. */
  readonly shown = signal<number | null>(null);
  private readonly shownPosition = signal<PositionView | null>(null);
  /** A point tapped once on a small board. */
  readonly pending = signal<string | null>(null);
  /** A point sent to the server and not answered yet. */
  readonly sent = signal<string | null>(null);
  readonly gone = signal<string | null>(null);

  /** The position on the board now. */
  readonly position = computed(
    () => this.shownPosition.value ?? this.view.value?.position ?? null,
  );

  /** Whether a change is sent and not answered yet. */
  private acting = false;
  private stop: (() => void) | null = null;

  constructor(readonly id: string) {}

  /** Follows the game until the returned function is called. */
  follow(): () => void {
    const handlers = {
      game: (data: unknown) => this.take(data as GameView),
      thinking: (data: unknown) => (this.thinking.value = data as Thinking),
      deleted: () => this.lose(words.value.game.deleted),
    };
    // The server stops the clock of a game that nobody watches; to look at another window
    // must not do that.
    const held = () => {
      const { clock = null, phase } = this.view.value ?? {};
      return clock !== null && phase === 'playing';
    };
    this.stop = listen(games.eventsPath(this.id), handlers, { held });
    return this.stop;
  }

  /** There is no such game (any more). */
  private lose(why: string): void {
    this.gone.value = why;
    this.stop?.();
  }

  take(arrived: GameView): void {
    const before = this.view.value;
    const now = later(before, arrived);
    if (now !== arrived) return;
    const said = news(before, now, words.value);
    this.view.value = now;
    this.arrived.value = performance.now();
    if (!now.thinking) this.thinking.value = null;
    if (before && before.moves.length !== now.moves.length) {
      this.estimate.value = null;
      this.pending.value = null;
      this.showLive();
    }
    if (said) announce(said);
  }

  /**
   * Does something to the game as it is known and takes the answer; false if it was
   * refused, or if another change is still under way.
   */
  private async act(request: (after: number) => Promise<GameView>): Promise<boolean> {
    const known = this.view.value;
    if (!known || this.acting) return false;
    this.acting = true;
    const view = await attempt(() => request(known.moves.length));
    this.acting = false;
    if (view) this.take(view);
    return view !== undefined;
  }

  async play(move: string): Promise<boolean> {
    if (this.acting) return false;
    this.pending.value = null;
    this.sent.value = move;
    const played = await this.act((after) => games.move(this.id, move, after));
    this.sent.value = null;
    return played;
  }

  undo = () => this.act((after) => games.undo(this.id, after));
  agree = () => this.act((after) => games.agree(this.id, after));
  resume = () => this.act((after) => games.resume(this.id, after));
  toggleDead = (point: string) =>
    this.act((after) => games.toggleDead(this.id, point, after));

  async toggleEstimate(): Promise<void> {
    if (this.estimate.value) {
      this.estimate.value = null;
      return;
    }
    if (this.estimating.value) return;
    this.estimating.value = true;
    announce(words.value.game.estimating);
    const estimate = await this.askEstimate();
    this.estimating.value = false;
    if (!estimate) return;
    this.estimate.value = estimate;
    announce(words.value.game.lead(estimate.lead_black));
  }

  /** Asks until the answer is about the position that is there when it comes. */
  private async askEstimate(): Promise<Estimate | undefined> {
    for (;;) {
      const moves = this.view.value?.moves.length;
      const estimate = await attempt(() => games.estimate(this.id));
      const now = this.view.value;
      if (!estimate || now?.moves.length === moves) return estimate;
      if (now?.phase !== 'playing') return undefined;
    }
  }

  /** Shows the position after `count` moves; what is past either end is the end. */
  async show(count: number): Promise<void> {
    const moves = this.view.value?.moves ?? [];
    const wanted = Math.max(0, Math.min(moves.length, count));
    if (wanted === moves.length && this.why.value === null) return this.showLive();
    this.shown.value = wanted;
    this.why.value = null;
    const position = await attempt(() => games.position(this.id, wanted));
    if (position && this.shown.value === wanted) this.shownPosition.value = position;
    const move = moves[wanted - 1];
    if (move) announce(words.value.game.moveNumber(move.number, move.color, move.move));
  }

  step(by: number): void {
    const live = this.view.value?.moves.length ?? 0;
    void this.show((this.shown.value ?? live) + by);
  }

  showLive(): void {
    this.shown.value = null;
    this.shownPosition.value = null;
    this.why.value = null;
  }

  /** Shows the board before a move of the partner, with what it considered there. */
  async askWhy(number: number): Promise<void> {
    const both = await attempt(() =>
      Promise.all([games.why(this.id, number), games.position(this.id, number - 1)]),
    );
    if (!both) return;
    this.shown.value = number;
    [this.why.value, this.shownPosition.value] = both;
    announce(whySaid(both[0], words.value));
  }

  /** Asks whether the game exists at all; a missing one is told instead of waited for. */
  async check(): Promise<void> {
    try {
      const view = await games.open(this.id);
      // What the stream has sent knows more: before it the server's clock stands.
      if (!this.view.value) this.take(view);
    } catch (failure) {
      if (!(failure instanceof ApiError)) return;
      if (failure.status === 404) this.lose(explain(failure));
      // A stopped server has a banner of its own, and a busy one is asked by the stream.
      else if (failure.code === 'no_answer') tell(explain(failure), 'error');
    }
  }
}
