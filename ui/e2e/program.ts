// The program under test: started on a free port with a data folder of its own, asked
// over its API, stopped, killed and started again.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AnalysisView, GameView, NewGame, RecordView } from '../src/api/types';

const BINARY = resolve(
  process.env['SHIDO_BIN'] ?? join(import.meta.dirname, '../../target/release/shido'),
);
const START_MS = 15_000;

export class Program {
  private child: ChildProcess | null = null;
  private readonly data = mkdtempSync(join(tmpdir(), 'shido-e2e-'));
  private said = '';

  private constructor(
    private readonly port: number,
    private readonly flags: readonly string[],
  ) {}

  static async start(...flags: string[]): Promise<Program> {
    if (!existsSync(BINARY)) {
      throw new Error(
        `${BINARY} is missing: run \`cargo build --release\`, or set SHIDO_BIN`,
      );
    }
    const program = new Program(await freePort(), flags);
    await program.run();
    return program;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    const place = ['--port', String(this.port), '--data-dir', this.data];
    const child = spawn(BINARY, ['serve', ...place, ...this.flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.on('data', (text) => (this.said += text));
    child.stderr.on('data', (text) => (this.said += text));
    const end = Date.now() + START_MS;
    while (Date.now() < end && child.exitCode === null) {
      const answer = await fetch(`${this.address}/api/about`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((wake) => setTimeout(wake, 50));
    }
    throw new Error(`shido did not start on port ${this.port}:\n${this.said}`);
  }

  /** Ends the program, by default without any warning. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  /** Ends the program and removes its data. */
  async close(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  async begin(settings: Partial<NewGame> = {}): Promise<GameView> {
    const light = settings.partner ? {} : { partner: 'classic', strength: 'light' };
    const usual = { size: 9, rules: 'japanese', pace: 'quick', ...light };
    return this.ask<GameView>('/games', { ...usual, ...settings });
  }

  game(id: string): Promise<GameView> {
    return this.ask<GameView>(`/games/${id}`);
  }

  async ask<T>(path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : jsonPost(body);
    const response = await fetch(`${this.address}/api${path}`, init);
    if (!response.ok)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /**
   * Asks the engine for a move in a game, so that the tests play as people do. With so few
   * visits it may want to pass much too early; `early` takes its best other move then.
   */
  async advise(id: string, early: boolean): Promise<string> {
    const sgf = await (await fetch(`${this.address}/api/games/${id}/sgf`)).text();
    const sent = await fetch(`${this.address}/api/records?name=advice`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-go-sgf' },
      body: sgf,
    });
    const record = (await sent.json()) as RecordView;
    const path = `/records/${record.id}/nodes/${record.main_line.at(-1)}/analysis`;
    const events = await this.events(`${path}?visits=60`);
    await fetch(`${this.address}/api/records/${record.id}`, { method: 'DELETE' });
    const last = events.filter(({ name }) => name === 'analysis').at(-1);
    const analysis = JSON.parse(last?.data ?? '{}') as AnalysisView;
    const moves = analysis.candidates.map(({ move }) => move);
    return (early ? moves.find((move) => move !== 'pass') : moves[0]) ?? 'pass';
  }

  /** Reads a stream up to its event `done`. */
  private async events(path: string): Promise<{ name: string; data: string }[]> {
    const response = await fetch(`${this.address}/api${path}`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.includes('event: done')) break;
    }
    await reader.cancel();
    return [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, name, data]) => ({
      name: name!,
      data: data!,
    }));
  }

  /** Waits until a game is as wanted. */
  async until(id: string, wanted: (game: GameView) => boolean): Promise<GameView> {
    for (let tries = 0; tries < 600; tries++) {
      const game = await this.game(id);
      if (wanted(game)) return game;
      await new Promise((wake) => setTimeout(wake, 50));
    }
    throw new Error(
      `the game did not get there:\n${JSON.stringify(await this.game(id))}`,
    );
  }
}

const jsonPost = (body: unknown) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
