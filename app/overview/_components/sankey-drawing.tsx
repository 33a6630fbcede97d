import {
  BAR_WIDTH,
  GATE_POST,
  GATE_WIDTH,
  MAP_SIZES,
  type MapSize,
  type PlacedNode,
  type PlacedWait,
  ribbonArea,
  ribbonBanks,
  round,
  sankeyGeometry,
} from "@/app/overview/_components/sankey-geometry";
import { fitText } from "@/components/parts/rules/network-geometry";
import { formatCents } from "@/lib/contract/format-cents";
import type { MapNodeView, MoneyMapView } from "@/lib/views/overview/build-money-map";

interface SankeyDrawingProps {
  map: MoneyMapView;
  /** Text alternative of the drawing. */
  description: string;
  canDecide: boolean;
  size: MapSize;
  className: string;
}

/** Width of a letter of a name, in the drawing's units. */
const LETTER = 7;

/** The money map, drawn on the server: channels as wide as their amounts, a gate for each pending amount. */
export function SankeyDrawing({ map, description, canDecide, size, className }: SankeyDrawingProps) {
  const geometry = sankeyGeometry(map.nodes, map.links, size);
  const nodes = new Map(map.nodes.map((node) => [node.id, node]));
  const links = new Map(map.links.map((link) => [`${link.fromId} ${link.toId}`, link]));
  return (
    <svg
      className={`w-full overflow-visible text-base ${className}`}
      viewBox={`0 0 ${geometry.width} ${Math.ceil(geometry.height)}`}
      role="img"
      aria-label={description}
    >
      {geometry.ribbons.map((ribbon) => {
        const [from, to] = [nodes.get(ribbon.fromId), nodes.get(ribbon.toId)];
        const isOut = to?.kind === "DESTINATION";
        const amount = links.get(`${ribbon.fromId} ${ribbon.toId}`)?.amountInCents ?? 0;
        return (
          <g key={`${ribbon.fromId} ${ribbon.toId}`}>
            <title>{`${from?.name} to ${to?.name}: ${formatCents(amount)}`}</title>
            <path
              className={isOut ? "fill-rule/70 hover:fill-rule-strong" : "fill-water-2/60 hover:fill-water-2"}
              d={ribbonArea(ribbon)}
            />
            <path
              className={`fill-none ${isOut ? "stroke-rule-strong" : "stroke-water"}`}
              d={ribbonBanks(ribbon)}
            />
          </g>
        );
      })}
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
        return node ? <Node key={placed.id} placed={placed} node={node} size={size} /> : null;
      })}
    </svg>
  );
}

function Node({ placed, node, size }: { placed: PlacedNode; node: MapNodeView; size: MapSize }) {
  const { label, x, y, height } = placed;
  const { left, right, zone } = MAP_SIZES[size];
  const room = { SOURCE: left, ACCOUNT: zone, DESTINATION: right }[node.kind];
  return (
    <g>
      <rect
        className={node.kind === "ACCOUNT" ? "fill-teal" : "fill-ink-3"}
        x={round(x)}
        y={round(y)}
        width={BAR_WIDTH}
        height={round(height)}
      />
      <text className="fill-ink font-semibold" x={round(label.x)} y={round(label.y)}>
        {fitText(node.name, Math.floor((room - 12) / LETTER))}
      </text>
      <text className="fill-ink-2" x={round(label.x)} y={round(label.y + 17)}>
        {amountOf(node)}
      </text>
      {/* The full name on hover, if it was cut off. */}
      <title>{`${node.name}: ${amountOf(node)}`}</title>
    </g>
  );
}

/** The amount out of a source, into a destination; for accounts, what they gained or lost. */
function amountOf(node: MapNodeView): string {
  if (node.kind === "SOURCE") return formatCents(node.outInCents + node.waitingInCents);
  if (node.kind === "DESTINATION") return formatCents(node.inInCents);
  return `net ${formatCents(node.keptInCents ?? 0, "whenPositive")}`;
}

interface WaitProps {
  wait: PlacedWait;
  amountInCents: number;
  canDecide: boolean;
}

function Wait({ wait, amountInCents, canDecide }: WaitProps) {
  const { x, y, gateX, dryTo, labelY } = wait;
  const width = Math.max(2, wait.width);
  const [top, bottom] = [round(y - GATE_POST), round(y + width + GATE_POST)];
  const banks = (from: number, to: number) =>
    [y, y + width].map((level) => `M${round(from)} ${round(level)}H${round(to)}`).join("");
  const beyond = gateX + GATE_WIDTH;
  return (
    <g>
      <path
        className="fill-water-2/60"
        d={`M${round(x)} ${round(y)}H${round(gateX)}V${round(y + width)}H${round(x)}Z`}
      />
      <path className="fill-none stroke-water" d={banks(x, gateX)} />
      <path className="fill-none stroke-rule-strong" strokeDasharray="3 5" d={banks(beyond, dryTo)} />
      <path
        className="fill-none stroke-ink-2"
        d={`M${round(gateX - 0.5)} ${top}V${bottom}M${round(beyond + 0.5)} ${top}V${bottom}`}
      />
      <rect
        className="fill-amber-fill"
        x={round(gateX + 4)}
        y={round(y - 2)}
        width={GATE_WIDTH - 8}
        height={round(width + 4)}
      />
      <text className="fill-ink font-semibold" x={round(x + 4)} y={round(labelY)}>
        {formatCents(amountInCents)}
      </text>
      <text className="fill-ink-2" x={round(x + 4)} y={round(labelY + 17)}>
        waits for {canDecide ? "you" : "approval"}
      </text>
    </g>
  );
}
