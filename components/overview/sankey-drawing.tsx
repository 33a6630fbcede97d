import {
  BAR_WIDTH,
  type PlacedNode,
  type PlacedWait,
  ribbonArea,
  ribbonBanks,
  round,
  sankeyGeometry,
  WIDTH,
} from "@/components/overview/sankey-geometry";
import { fitText } from "@/components/rules/network-geometry";
import { formatCents } from "@/lib/contract/format-cents";
import type { MapNodeView, MoneyMapView } from "@/lib/contract/views/overview-view";

interface SankeyDrawingProps {
  map: MoneyMapView;
  /** Text alternative of the drawing. */
  description: string;
  canDecide: boolean;
}

/** Characters that fit beside the outer bars. */
const OUTER_LETTERS = 21;
const INNER_LETTERS = 22;
/** Length of the dry channel behind a gate. */
const DRY = 110;

/** The money map, drawn on the server: channels as wide as their amounts, a gate for each pending amount. */
export function SankeyDrawing({ map, description, canDecide }: SankeyDrawingProps) {
  const geometry = sankeyGeometry(map.nodes, map.links);
  const nodes = new Map(map.nodes.map((node) => [node.id, node]));
  const isOut = (id: string) => nodes.get(id)?.kind === "DESTINATION";
  return (
    <svg
      className="chart map"
      viewBox={`0 0 ${WIDTH} ${Math.ceil(geometry.height)}`}
      role="img"
      aria-labelledby="map-description"
    >
      <desc id="map-description">{description}</desc>
      {geometry.ribbons.map((ribbon) => (
        <g key={`${ribbon.fromId} ${ribbon.toId}`}>
          <path className={isOut(ribbon.toId) ? "rb out" : "rb"} d={ribbonArea(ribbon)} />
          <path className={isOut(ribbon.toId) ? "bk out" : "bk"} d={ribbonBanks(ribbon)} />
        </g>
      ))}
      {geometry.waits.map((wait) => (
        <Wait
          key={wait.nodeId}
          wait={wait}
          amountInCents={nodes.get(wait.nodeId)?.waitingInCents ?? 0}
          canDecide={canDecide}
        />
      ))}
      {geometry.nodes.map((placed) => {
        const node = nodes.get(placed.id);
        return node ? (
          <Node key={placed.id} placed={placed} node={node} isNarrow={geometry.isNarrow} />
        ) : null;
      })}
    </svg>
  );
}

function Node({ placed, node, isNarrow }: { placed: PlacedNode; node: MapNodeView; isNarrow: boolean }) {
  const { label, x, y, height } = placed;
  const isOutside = node.kind !== "ACCOUNT";
  return (
    <g>
      <rect
        className={isOutside ? "nd ex" : "nd"}
        x={round(x)}
        y={round(y)}
        width={BAR_WIDTH}
        height={round(height)}
      />
      {label.place === "INSIDE" && !isNarrow ? (
        <text className="strong halo" x={round(label.x)} y={round(label.y)} textAnchor="end">
          {fitText(node.name, INNER_LETTERS)} <tspan className="lite">{netWords(node)}</tspan>
        </text>
      ) : (
        <TwoLines
          placed={placed}
          name={fitText(node.name, OUTER_LETTERS)}
          amount={amountOf(node, label.place === "INSIDE")}
        />
      )}
      {/* The full name on hover, if it was cut off. */}
      <title>{node.name}</title>
    </g>
  );
}

function TwoLines({
  placed: { label, x },
  name,
  amount,
}: {
  placed: PlacedNode;
  name: string;
  amount: string;
}) {
  const anchor = label.place === "INSIDE" || (label.place === "ABOVE" && label.x > x) ? "end" : "start";
  return (
    <>
      <text className="strong halo" x={round(label.x)} y={round(label.y)} textAnchor={anchor}>
        {name}
      </text>
      <text className="halo" x={round(label.x)} y={round(label.y + 16)} textAnchor={anchor}>
        {amount}
      </text>
    </>
  );
}

/** The amount out of a source, into a destination; for accounts, the amount in, or out if nothing came in. */
function amountOf(node: MapNodeView, isInside: boolean): string {
  if (node.kind === "SOURCE") return formatCents(node.outInCents + node.waitingInCents);
  if (node.kind === "DESTINATION") return formatCents(node.inInCents);
  if (isInside) return netWords(node);
  return node.inInCents > 0 ? `${formatCents(node.inInCents)} in` : netWords(node);
}

function netWords({ keptInCents }: MapNodeView): string {
  return `net ${formatCents(keptInCents ?? 0)}`;
}

interface WaitProps {
  wait: PlacedWait;
  amountInCents: number;
  canDecide: boolean;
}

function Wait({ wait, amountInCents, canDecide }: WaitProps) {
  const { x, y, gateX } = wait;
  const width = Math.max(2, wait.width);
  const beyond = gateX + 16;
  const banks = (from: number, to: number) =>
    [y, y + width].map((bank) => `M${round(from)} ${round(bank)}H${round(to)}`).join("");
  return (
    <g>
      <path
        className="rb wait"
        d={`M${round(x)} ${round(y)}H${round(gateX)}V${round(y + width)}H${round(x)}Z`}
      />
      <path className="bk wait" d={banks(x, gateX)} />
      <path className="bk dry" d={banks(beyond, beyond + DRY)} />
      <path
        className="post"
        d={`M${round(gateX - 0.5)} ${round(y - 5)}V${round(y + width + 6)}M${round(gateX + 16.5)} ${round(y - 5)}V${round(y + width + 6)}`}
      />
      <rect className="leaf" x={round(gateX + 4)} y={round(y - 3)} width="8" height={round(width + 6)} />
      <text className="strong halo" x={round(beyond + 12)} y={round(wait.labelY)}>
        {formatCents(amountInCents)}
      </text>
      <text className="halo" x={round(beyond + 12)} y={round(wait.labelY + 16)}>
        waits for {canDecide ? "you" : "approval"}
      </text>
    </g>
  );
}
