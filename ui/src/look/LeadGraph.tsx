// Who was ahead when: Black's lead over the moves of the present line. Up is Black.

import { words } from '../lang';
import { leadPoints, leadScale } from './graph';
import type { Looking } from './record';

const WIDTH = 600;
const HALF = 60;

export function LeadGraph({ looking }: { looking: Looking }) {
  const t = words.value;
  const line = looking.line.value;
  const points = leadPoints(line, looking.graph.value);
  const scale = leadScale(points);
  const x = (at: number) => (line.length > 1 ? (at / (line.length - 1)) * WIDTH : 0);
  const y = (lead: number) =>
    HALF - (Math.max(-scale, Math.min(scale, lead)) / scale) * (HALF - 4);
  const path = points
    .map(({ at, lead }) => `${x(at).toFixed(1)} ${y(lead).toFixed(1)}`)
    .join('L');
  const first = points[0];
  const last = points.at(-1);
  const area =
    first && last ? `M${x(first.at)} ${HALF}L${path}L${x(last.at)} ${HALF}Z` : '';
  const here = looking.graph.value.get(looking.node.value);
  const onClick = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const to = line[Math.round(share * (line.length - 1))];
    if (to !== undefined) void looking.go(to);
  };
  return (
    <figure class="graph">
      <figcaption class="soft">
        <span>
          <span class="stone stone-black" aria-hidden="true" /> {t.look.upBlack} +{scale}
        </span>
        <span>{t.look.graphOf(points.length, line.length)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${2 * HALF}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={here ? t.game.lead(here.lead_black) : t.look.graph}
        data-testid="graph"
        data-points={points.length}
        onClick={onClick}
      >
        <rect class="graph-black" width={WIDTH} height={HALF} />
        <rect class="graph-white" y={HALF} width={WIDTH} height={HALF} />
        <path class="graph-area" d={area} />
        <path class="graph-zero" d={`M0 ${HALF}H${WIDTH}`} />
        {path && <path class="graph-line" d={`M${path}`} />}
        <path class="graph-now" d={`M${x(looking.at.value)} 0V${2 * HALF}`} />
      </svg>
      <span class="soft graph-foot">
        <span class="stone stone-white" aria-hidden="true" /> {t.look.downWhite} +{scale}
      </span>
    </figure>
  );
}
