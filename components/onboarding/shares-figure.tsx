import { formatCents } from "@/lib/contract/format-cents";

interface SharesFigureProps {
  pods: readonly { key: number; name: string; percent: number }[];
}

const WIDTH = 340;
const CHANNEL = 64;
const ROW = 58;
const TOP = 24;
const MAXIMUM_DRAWN = 6;
/** Of $1,000.00, in cents. */
const CENTS_PER_PERCENT = 1_000;

/** A deposit on its way into the pods; the width of each branch is its share. */
export function SharesFigure({ pods }: SharesFigureProps) {
  const drawn = pods.filter(({ percent }) => percent > 0).slice(0, MAXIMUM_DRAWN);
  const total = Math.max(
    100,
    drawn.reduce((sum, { percent }) => sum + percent, 0),
  );
  const height = Math.max(190, TOP + drawn.length * ROW);
  const channelTop = height / 2 - CHANNEL / 2 - 14;
  let offset = 0;
  const branches = drawn.map((pod, index) => {
    const width = Math.max(2, (pod.percent / total) * CHANNEL);
    const branch = {
      ...pod,
      from: channelTop + offset,
      width,
      to: TOP + index * ROW + (ROW - width) / 2 - 14,
    };
    offset += width;
    return branch;
  });
  return (
    <svg className="fp-net" viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      <rect className="w" x="5" y={channelTop} width="113" height={CHANNEL} />
      <path className="b" d={`M5 ${channelTop - 0.5}H118M5 ${channelTop + CHANNEL + 0.5}H118`} />
      <rect className="n" x="0" y={channelTop - 3} width="5" height={CHANNEL + 6} />
      {branches.map(({ key, name, percent, from, width, to }) => (
        <g key={key}>
          <path
            className="w"
            d={`M117 ${from}C147 ${from} 147 ${to} 176 ${to}V${to + width}C147 ${to + width} 147 ${from + width} 117 ${from + width}Z`}
          />
          <path
            className="b"
            d={`M118 ${from}C147 ${from} 147 ${to} 176 ${to}M118 ${from + width}C147 ${from + width} 147 ${to + width} 176 ${to + width}`}
          />
          <rect className="n" x="176" y={to - 3} width="5" height={width + 6} />
          <text className="strong" x="192" y={to + width / 2 - 2}>
            {shortened(name)}
          </text>
          <text x="192" y={to + width / 2 + 14}>
            {percent}%
          </text>
          <text className="strong" x={WIDTH} y={to + width / 2 - 2} textAnchor="end">
            {formatCents(percent * CENTS_PER_PERCENT)}
          </text>
        </g>
      ))}
      <path className="p" d={gate(channelTop)} />
      <rect className="n" x="66" y={channelTop - 27} width="8" height="22" />
      <text className="strong" x="0" y={channelTop + CHANNEL + 24}>
        Income
      </text>
      <text x="0" y={channelTop + CHANNEL + 41}>
        {formatCents(100 * CENTS_PER_PERCENT)}
      </text>
    </svg>
  );
}

/** Raised: what comes in goes through. */
function gate(channelTop: number): string {
  const top = channelTop - 30;
  const foot = channelTop + CHANNEL + 5;
  return `M62.5 ${top}V${foot}M77.5 ${top}V${foot}M58 ${top - 0.5}h24M70 ${top - 9}v12M65 ${top - 9.5}h10`;
}

function shortened(name: string): string {
  const characters = Array.from(name || "New pod");
  return characters.length <= 12 ? characters.join("") : `${characters.slice(0, 11).join("")}…`;
}
