// A small picture of a position, for lists. Decoration only: the text beside it says
// what matters.

import type { Size } from './vertex';

export function MiniBoard({ size, stones }: { size: Size; stones: readonly number[] }) {
  const { width, height } = size;
  const horizontal = Array.from(
    { length: height },
    (_, y) => `M.5 ${y + 0.5}h${width - 1}`,
  );
  const vertical = Array.from(
    { length: width },
    (_, x) => `M${x + 0.5} .5v${height - 1}`,
  );
  return (
    <svg
      class="mini"
      viewBox={`-.2 -.2 ${width + 0.4} ${height + 0.4}`}
      aria-hidden="true"
    >
      <path class="mini-lines" d={[...horizontal, ...vertical].join('')} />
      {stones.map((sign, i) =>
        sign === 0 ? null : (
          <circle
            key={i}
            class={`mini-stone mini-stone_${sign}`}
            cx={(i % width) + 0.5}
            cy={Math.floor(i / width) + 0.5}
            r="0.46"
          />
        ),
      )}
    </svg>
  );
}
