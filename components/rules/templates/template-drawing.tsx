import { branchPaths } from "@/components/rules/network-geometry";

const WIDTH = 132;
const HEIGHT = 64;
const CHANNEL = { top: 18, bottom: 46 };
const FORK_X = 52;
const BRANCH_X = 124;
const MARGIN = 6;

interface TemplateDrawingProps {
  /** Percent of the channel; what is left of 100 stays. */
  shares: readonly number[];
}

/** A template drawn to its own shares; its sentence beside it is its text twin. */
export function TemplateDrawing({ shares }: TemplateDrawingProps) {
  const stays = Math.max(0, 100 - shares.reduce((sum, share) => sum + share, 0));
  const scale = (CHANNEL.bottom - CHANNEL.top) / 100;
  const parts = stays > 0 ? [...shares, stays] : [...shares];
  const gap = parts.length > 1 ? (HEIGHT - 2 * MARGIN - 100 * scale) / (parts.length - 1) : 0;
  let taken = CHANNEL.top;
  let placed = parts.length > 1 ? MARGIN : CHANNEL.top;
  const drawn = parts.map((part, index) => {
    const height = part * scale;
    const from = { top: taken, bottom: taken + height };
    const to = { top: placed, bottom: placed + height };
    taken = from.bottom;
    placed = to.bottom + gap;
    return { from, to, isDry: stays > 0 && index === parts.length - 1 };
  });
  return (
    <svg className="net" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className="dw" x="4" y={CHANNEL.top} width={FORK_X - 4} height={CHANNEL.bottom - CHANNEL.top} />
      <path className="db" d={`M4 ${CHANNEL.top - 0.5}H${FORK_X}M4 ${CHANNEL.bottom + 0.5}H${FORK_X}`} />
      <rect className="nd2" x="0" y={CHANNEL.top - 3} width="4" height={CHANNEL.bottom - CHANNEL.top + 6} />
      {drawn.map(({ from, to, isDry }) => (
        <Branch key={from.top} from={from} to={to} isDry={isDry} />
      ))}
    </svg>
  );
}

interface Span {
  top: number;
  bottom: number;
}

function Branch({ from, to, isDry }: { from: Span; to: Span; isDry: boolean }) {
  const node = (
    <rect
      className={isDry ? "nd2 dry" : "nd2"}
      x={BRANCH_X}
      y={to.top - 2}
      width="4"
      height={to.bottom - to.top + 4}
    />
  );
  if (isDry) {
    const middle = ({ top, bottom }: Span) => (top + bottom) / 2;
    const line = branchPaths(
      {
        from: { top: middle(from), bottom: middle(from) },
        to: { top: middle(to), bottom: middle(to) },
        fromX: FORK_X,
      },
      BRANCH_X,
    );
    return (
      <>
        <path className="db dry" d={line.banks} />
        {node}
      </>
    );
  }
  const paths = branchPaths({ from, to, fromX: FORK_X }, BRANCH_X);
  return (
    <>
      <path className="dw" d={paths.water} />
      <path className="db" d={paths.banks} />
      {node}
    </>
  );
}
