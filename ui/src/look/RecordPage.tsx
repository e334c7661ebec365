// Looking at a record: stepping through it and its variations, with comments, marks and
// what the engine finds.

import { useEffect, useState } from 'preact/hooks';
import type { NodeView, RecordView } from '../api/types';
import { reachable } from '../api/client';
import { Board } from '../board/Board';
import type { Mark as BoardMark } from '../board/marks';
import { placeOf } from '../board/vertex';
import { words } from '../lang';
import { Icon } from '../shell/Icon';
import { useKeys } from '../shell/keys';
import { addressOf } from '../shell/router';
import { Steps } from '../shell/Steps';
import { useDrop } from './bring';
import { spotsOf } from './candidates';
import { EnginePanel } from './EnginePanel';
import { numbered } from './lines';
import { Looking } from './record';
import { Tree } from './Tree';

export function RecordPage({ id }: { id: string }) {
  const [looking] = useState(() => new Looking(id));
  const [line, setLine] = useState<readonly string[] | null>(null);
  const dragging = useDrop();
  useEffect(() => {
    if (reachable.value && !looking.record.value) void looking.open();
  }, [looking, reachable.value]);
  useEffect(() => () => looking.close(), [looking]);
  useKeys({
    ArrowLeft: () => looking.step(-1),
    ArrowRight: () => looking.step(1),
    ArrowUp: () => looking.vary(-1),
    ArrowDown: () => looking.vary(1),
    PageUp: () => looking.step(-10),
    PageDown: () => looking.step(10),
    Home: () => looking.step(-Infinity),
    End: () => looking.step(Infinity),
    a: () => looking.toggleEngine(),
    o: () => (looking.ownership.value = !looking.ownership.value),
  });
  const t = words.value;
  const record = looking.record.value;
  const view = looking.view.value;
  if (looking.gone.value) return <Missing text={looking.gone.value} />;
  if (!record || !view) return <p class="waiting">{t.common.loading}</p>;
  const analysis = looking.engine.value ? looking.analysis.value : null;
  return (
    <div class={`table ${dragging ? 'drop-over' : ''}`}>
      <Heading record={record} looking={looking} />
      <div class="board-area">
        <Board
          size={view.position}
          stones={view.position.stones}
          stars={view.position.stars}
          label={t.look.boardLabel}
          last={view.position.last_move?.move}
          marks={line ? numbered(line) : marksOf(view)}
          lines={
            line
              ? []
              : view.lines.map(({ from, to, kind }) => ({
                  from,
                  to,
                  arrow: kind === 'arrow',
                }))
          }
          territory={territoryOf(view)}
          candidates={line || !analysis ? [] : spotsOf(analysis.candidates)}
          ownership={looking.ownership.value ? (analysis?.ownership ?? null) : null}
        />
      </div>
      <aside class="side">
        <Steps
          at={looking.at.value}
          of={looking.line.value.length - 1}
          onGo={(to) => looking.step(to - looking.at.value)}
        />
        <Branches view={view} looking={looking} />
        {view.name && <h2 class="node-name">{view.name}</h2>}
        {view.comment && (
          <section class="card comment" aria-label={t.look.comment} tabIndex={0}>
            {view.comment}
          </section>
        )}
        <EnginePanel looking={looking} onLine={setLine} />
        {record.nodes.some(({ children }) => children.length > 1) && (
          <Tree looking={looking} record={record} />
        )}
        <Warnings record={record} />
      </aside>
    </div>
  );
}

function Heading({ record, looking }: { record: RecordView; looking: Looking }) {
  const t = words.value;
  const { info } = record;
  const player = (name: string, rank: string) =>
    [name || '?', rank].filter(Boolean).join(' ');
  const rest = [info.event, info.date, info.result, t.game.komi(info.komi)].filter(
    Boolean,
  );
  return (
    <div class="players record-head">
      <h1>
        <span class="stone stone-black" aria-hidden="true" />{' '}
        {player(info.black, info.black_rank)}
        <span class="record-versus"> – </span>
        <span class="stone stone-white" aria-hidden="true" />{' '}
        {player(info.white, info.white_rank)}
      </h1>
      <p class="soft">{rest.join(' · ')}</p>
      {record.games > 1 && (
        <label class="row">
          {t.look.which}
          <select
            value={record.game}
            onChange={(event) => void looking.open(Number(event.currentTarget.value))}
          >
            {Array.from({ length: record.games }, (_, i) => (
              <option key={i} value={i}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** The variations here, as buttons; the tree shows the same as a picture. */
function Branches({ view, looking }: { view: NodeView; looking: Looking }) {
  const t = words.value;
  if (view.next.length < 2) return null;
  return (
    <div class="row branches" role="group" aria-label={t.look.variations}>
      <span class="soft">{t.look.variations}</span>
      {view.next.map(({ node, move }, i) => (
        <button
          key={node}
          class="button button-small"
          type="button"
          onClick={() => void looking.go(node)}
        >
          {i + 1}. {move ? t.game.move(move) : '…'}
        </button>
      ))}
    </div>
  );
}

function Warnings({ record }: { record: RecordView }) {
  const t = words.value.look;
  if (record.warnings.length === 0) return null;
  return (
    <details class="card">
      <summary>{t.warnings(record.warnings.length)}</summary>
      <ul>
        {record.warnings.slice(0, 50).map((text, i) => (
          <li key={i}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

function Missing({ text }: { text: string }) {
  const t = words.value.look;
  return (
    <div class="card narrow">
      <h1>{t.missing}</h1>
      <p>{text}</p>
      <a class="button button-main" href={addressOf({ page: 'look' })}>
        <Icon name="look" />
        {t.toRecords}
      </a>
    </div>
  );
}

function marksOf(view: NodeView): BoardMark[] {
  return view.marks.flatMap(({ point, kind, text }) =>
    kind === 'territory_black' || kind === 'territory_white' || kind === 'dim'
      ? []
      : [{ vertex: point, kind, label: text }],
  );
}

function territoryOf(view: NodeView): number[] | null {
  const marks = view.marks.filter(({ kind }) => kind.startsWith('territory'));
  if (marks.length === 0) return null;
  const owned = view.position.stones.map(() => 0);
  for (const { point, kind } of marks) {
    const place = placeOf(point, view.position);
    if (place)
      owned[place[1] * view.position.width + place[0]] =
        kind === 'territory_black' ? 1 : -1;
  }
  return owned;
}
