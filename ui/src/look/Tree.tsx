// The record's tree as a picture: the main line on top, variations below. Only the part
// around the present node is drawn, so that a huge tree stays quick.

import { useMemo } from 'preact/hooks';
import type { RecordView } from '../api/types';
import { words } from '../lang';
import type { Looking } from './record';
import { layOut } from './tree';

const STEP = 22;
const COLUMNS = 15;
const ROWS = 8;

export function Tree({ looking, record }: { looking: Looking; record: RecordView }) {
  const t = words.value.look;
  const spots = useMemo(() => layOut(record.nodes), [record]);
  const here = spots[looking.node.value];
  if (!here) return null;
  const left = Math.max(0, here.column - Math.floor(COLUMNS / 2));
  const top = Math.max(0, here.row - Math.floor(ROWS / 2));
  const seen = spots.filter(
    ({ column, row }) =>
      column >= left && column <= left + COLUMNS && row >= top && row <= top + ROWS,
  );
  const rows = Math.max(...seen.map(({ row }) => row - top)) + 1;
  const x = (column: number) => (column - left + 0.7) * STEP;
  const y = (row: number) => (row - top + 0.7) * STEP;
  return (
    <section class="card" aria-label={t.tree}>
      <svg
        class="tree"
        aria-hidden="true"
        viewBox={`0 0 ${(COLUMNS + 0.4) * STEP} ${(rows + 0.4) * STEP}`}
      >
        {seen.map(({ id, column, row }) => {
          const parent = spots[record.nodes[id]?.parent ?? -1];
          if (!parent) return null;
          const d = `M${x(column)} ${y(row)}L${x(column - 1)} ${y(row === parent.row ? row : row - 1)}V${y(parent.row)}`;
          return <path key={id} class="tree-line" d={d} />;
        })}
        {seen.map(({ id, column, row }) => {
          const node = record.nodes[id]!;
          return (
            <g
              key={id}
              class={`tree-node tree-${node.color ?? 'none'} ${id === here.id ? 'tree-here' : ''}`}
              transform={`translate(${x(column)} ${y(row)})`}
              onClick={() => void looking.go(id)}
            >
              <circle r="8" />
              {node.has_comment && (
                <rect class="tree-comment" x="4" y="-9" width="5" height="5" />
              )}
              {node.move && (
                <text y="3.2" font-size="8">
                  {node.number}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </section>
  );
}
