// A game record as the page looks at it: where we are in the tree, the position there,
// and what the engine has found so far.

import { computed, signal } from '@preact/signals';
import { ApiError, records } from '../api/client';
import { listen } from '../api/stream';
import type { AnalysisView, GraphPoint, NodeView, RecordView } from '../api/types';
import { words } from '../lang';
import { announce } from '../shell/announce';
import { explain, tell } from '../shell/notice';
import { load, save } from '../settings';
import { keepLine, lineThrough, sibling } from './tree';

/** So long a person must stay on a move before the engine is asked about it. */
const SETTLE_MS = 250;

export class Looking {
  readonly record = signal<RecordView | null>(null);
  readonly node = signal(0);
  /** From the root through the node to the end of its variation. */
  readonly line = signal<readonly number[]>([0]);
  readonly view = signal<NodeView | null>(null);
  readonly analysis = signal<AnalysisView | null>(null);
  readonly graph = signal<ReadonlyMap<number, GraphPoint>>(new Map());
  readonly engine = signal(load('shido.engine') !== 'off');
  readonly ownership = signal(false);
  readonly gone = signal<string | null>(null);

  readonly at = computed(() => this.line.value.indexOf(this.node.value));

  private game = 0;
  private readonly views = new Map<number, NodeView>();
  private readonly analyses = new Map<number, AnalysisView>();
  private stopAnalysis: (() => void) | null = null;
  private stopGraph: (() => void) | null = null;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private graphOf: number | null = null;

  constructor(readonly id: string) {}

  async open(game = 0): Promise<void> {
    this.close();
    this.game = game;
    this.views.clear();
    this.analyses.clear();
    this.graph.value = new Map();
    try {
      const record = await records.open(this.id, game);
      this.record.value = record;
      this.line.value = lineThrough(record.nodes, 0);
      await this.go(this.remembered(record));
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'offline') return;
      this.gone.value = explain(failure);
    }
  }

  /** Stops everything that runs for this record. */
  close(): void {
    clearTimeout(this.settling);
    this.stopAnalysis?.();
    this.stopGraph?.();
    this.stopAnalysis = this.stopGraph = null;
    this.graphOf = null;
  }

  async go(id: number): Promise<void> {
    const record = this.record.value;
    if (!record?.nodes[id]) return;
    this.line.value = keepLine(record.nodes, this.line.value, id);
    this.node.value = id;
    save(this.placeKey(), String(id));
    this.stopAnalysis?.();
    this.stopAnalysis = null;
    this.analysis.value = this.analyses.get(id) ?? null;
    const view = await this.fetch(id);
    if (!view || this.node.value !== id) return;
    this.view.value = view;
    announce(this.said(view));
    this.settle();
    const next = record.nodes[id].children[0];
    if (next !== undefined) void this.fetch(next);
  }

  step(by: number): void {
    const line = this.line.value;
    const to = line[Math.max(0, Math.min(line.length - 1, this.at.value + by))];
    if (to !== undefined && to !== this.node.value) void this.go(to);
  }

  vary(by: 1 | -1): void {
    const nodes = this.record.value?.nodes;
    const to = nodes && sibling(nodes, this.node.value, by);
    if (to != null) void this.go(to);
  }

  toggleEngine(): void {
    this.engine.value = !this.engine.value;
    save('shido.engine', this.engine.value ? 'on' : 'off');
    if (this.engine.value) this.settle();
    else this.close();
  }

  private async fetch(id: number): Promise<NodeView | null> {
    const known = this.views.get(id);
    if (known) return known;
    try {
      const view = await records.node(this.id, this.game, id);
      this.views.set(id, view);
      return view;
    } catch (failure) {
      if (id === this.node.value) tell(explain(failure), 'error');
      return null;
    }
  }

  private settle(): void {
    clearTimeout(this.settling);
    if (this.engine.value) this.settling = setTimeout(() => this.ask(), SETTLE_MS);
  }

  /** Asks the engine about the node, and about the whole line if that was not asked yet. */
  private ask(): void {
    const id = this.node.value;
    if (!this.analyses.get(id)?.done) {
      this.stopAnalysis?.();
      this.stopAnalysis = listen(records.analysisPath(this.id, this.game, id), {
        analysis: (data) => {
          const analysis = data as AnalysisView;
          this.analyses.set(id, analysis);
          if (this.node.value === id) this.analysis.value = analysis;
        },
      });
    }
    const leaf = this.line.value.at(-1);
    if (leaf !== undefined && this.graphOf !== leaf) {
      this.stopGraph?.();
      this.graphOf = leaf;
      this.stopGraph = listen(records.graphPath(this.id, this.game, leaf), {
        graph: (data) => {
          const point = data as GraphPoint;
          this.graph.value = new Map(this.graph.value).set(point.node, point);
        },
      });
    }
  }

  private said(view: NodeView): string {
    const node = this.record.value?.nodes[view.id];
    const t = words.value;
    const parts: string[] = [];
    if (node?.color && node.move)
      parts.push(t.game.moveNumber(node.number, node.color, node.move));
    if (view.next.length > 1) parts.push(t.look.branches(view.next.length));
    if (view.comment) parts.push(view.comment);
    return parts.join(' ');
  }

  private placeKey = () => `shido.place.${this.id}.${this.game}`;

  /** Where this record was left, so that a reload loses nothing. */
  private remembered(record: RecordView): number {
    const id = Number(load(this.placeKey()) ?? 0);
    return Number.isInteger(id) && record.nodes[id] ? id : 0;
  }
}
