import {
  branchesOf,
  type DrawnRule,
  drawnSource,
  fitText,
  layOutNetwork,
  type NetworkMeasures,
  networkText,
  type Span,
} from "@/components/parts/rules/network-geometry";
import {
  CHANNEL_BANKS,
  DRY_BANKS,
  type GateState,
  NetworkBranch,
  NetworkGate,
  SIMULATED,
  type WaterState,
} from "@/components/parts/rules/network-parts";
import { GATE_LEAF, RIPPLES, STRONG_TEXT, WATER } from "@/components/sluice/ink";
import { formatCents } from "@/lib/contract/format-cents";
import { accountName } from "@/lib/words/rules/number-words";

interface SmallNetworkProps extends DrawnRule {
  /** Width in units: 334 in a panel, 384 in a side column. */
  width?: 334 | 384;
  /** A dry run. */
  isSimulated?: boolean;
}

const SMALL: NetworkMeasures = {
  trunkX: 5,
  forkX: 118,
  branchX: 176,
  trunkY: 64,
  trunkHeight: 64,
  pitch: 58,
  firstY: 24,
  branchesAtRest: 5,
  ownChannel: 26,
};
const TEXT_X = 192;
/** Average character width of 13 px text. */
const LETTER_WIDTH = 6.6;
const AMOUNT_WIDTH = 68;

/** A rule in a side column: the trigger's account, gate, and a channel to scale per destination. */
export function SmallNetwork({ width = 384, isSimulated = false, ...drawn }: SmallNetworkProps) {
  const { plan, names } = drawn;
  const source = drawnSource(drawn);
  const isIdle = plan !== null && plan.stepIndexMatched === null;
  const network = layOutNetwork(branchesOf(drawn), source.amountInCents, SMALL);
  const { trunk, leftover } = network;
  const words = {
    branchX: SMALL.branchX,
    textX: TEXT_X,
    width,
    nameLetters: Math.floor((width - TEXT_X - AMOUNT_WIDTH) / LETTER_WIDTH),
    lineLetters: Math.floor((width - TEXT_X) / LETTER_WIDTH),
  };
  const waterEnd = isIdle ? 70 : SMALL.forkX;
  const amountY = trunk.bottom + 41;
  const height = Math.ceil(Math.max(network.bottom, amountY + 6));
  return (
    <svg
      className={`block w-full h-auto font-sans text-[13px] fill-ink-2 overflow-visible ${isSimulated ? SIMULATED : ""}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={networkText(drawn)}
    >
      {plan === null ? null : (
        <rect
          className={WATER}
          data-water=""
          x={SMALL.trunkX}
          y={trunk.top}
          width={waterEnd - SMALL.trunkX}
          height={trunk.bottom - trunk.top}
        />
      )}
      <path
        className={plan === null ? DRY_BANKS : CHANNEL_BANKS}
        data-banks=""
        d={banks(SMALL.trunkX, waterEnd, trunk)}
      />
      {isIdle ? <path className={DRY_BANKS} data-banks="" d={banks(waterEnd, SMALL.forkX, trunk)} /> : null}
      {leftover && plan !== null && !isIdle ? (
        <path
          className={CHANNEL_BANKS}
          data-banks=""
          d={`M${SMALL.forkX} ${leftover.top}V${leftover.bottom}`}
        />
      ) : null}
      <rect className={GATE_LEAF} x="0" y={trunk.top - 3} width="5" height={trunk.bottom - trunk.top + 6} />
      {network.branches.map((branch) => (
        <NetworkBranch key={branch.branch.id} drawn={branch} measures={words} water="THROUGH" />
      ))}
      <NetworkGate x={70} {...trunk} state={isIdle ? "DOWN" : "OPEN"} />
      <text className={STRONG_TEXT} x="0" y={trunk.bottom + 24}>
        {fitText(accountName(names, source.accountId), 24)}
      </text>
      {source.amountInCents === null ? null : (
        <text x="0" y={amountY}>
          {formatCents(source.amountInCents)}
        </text>
      )}
    </svg>
  );
}

function banks(fromX: number, toX: number, { top, bottom }: Span): string {
  return `M${fromX} ${top}H${toX}M${fromX} ${bottom}H${toX}`;
}

interface WaitingNetworkProps extends DrawnRule {
  /** The state of the decision. */
  gate: GateState;
  /** The line below the trigger account's name, e.g. its balance. */
  caption?: string | null;
}

const WIDTH = 696;
const MEASURES: NetworkMeasures = {
  trunkX: 5,
  forkX: 330,
  branchX: 452,
  trunkY: 112,
  trunkHeight: 72,
  pitch: 61,
  firstY: 28,
  branchesAtRest: 5,
  ownChannel: 56,
};
const WORDS = {
  branchX: MEASURES.branchX,
  textX: 470,
  width: WIDTH,
  nameLetters: 20,
  lineLetters: 30,
  isLargeOnPhones: true,
};
const GATE_X = 240;
/** Ripples: start, depth below the surface as a share, and path. */
const RIPPLE_LINES = [
  { x: 22, part: 0.25, dashes: "h64m12 0h40" },
  { x: 44, part: 0.5, dashes: "h92m10 0h30" },
  { x: 22, part: 0.75, dashes: "h48m12 0h76" },
] as const;

/** A run that needs approval: water up to a closed amber gate, dashed channels to the destinations. */
export function WaitingNetwork({ gate, caption = null, ...drawn }: WaitingNetworkProps) {
  const { names } = drawn;
  const source = drawnSource(drawn);
  const network = layOutNetwork(branchesOf(drawn), source.amountInCents, MEASURES);
  const { trunk } = network;
  const water: WaterState = gate === "OPEN" ? "THROUGH" : "WAITS";
  const depth = trunk.bottom - trunk.top;
  const waterEnd = gate === "OPEN" ? MEASURES.forkX : GATE_X;
  const middle = trunk.top + depth / 2;
  return (
    <svg
      className="block w-full h-auto font-sans text-[14px] fill-ink-2 overflow-visible max-sm:text-[24px]"
      viewBox={`0 0 ${WIDTH} ${Math.ceil(network.bottom)}`}
      role="img"
      aria-label={`${WAITS[gate]}${networkText(drawn)}`}
    >
      {gate === "DOWN" ? null : (
        <rect
          className={WATER}
          data-water=""
          x={MEASURES.trunkX}
          y={trunk.top}
          width={waterEnd - MEASURES.trunkX}
          height={depth}
        />
      )}
      <path
        className={CHANNEL_BANKS}
        data-banks=""
        d={`${banks(MEASURES.trunkX, GATE_X - 9, trunk)}${banks(GATE_X + 9, MEASURES.forkX, trunk)}`}
      />
      {gate === "OPEN" ? null : (
        <path className={DRY_BANKS} data-banks="" d={`M${GATE_X + 18} ${middle}H${MEASURES.forkX - 4}`} />
      )}
      <rect className={GATE_LEAF} x="0" y={trunk.top - 4} width="5" height={depth + 8} />
      {network.branches.map((branch) => (
        <NetworkBranch key={branch.branch.id} drawn={branch} measures={WORDS} water={water} />
      ))}
      <NetworkGate x={GATE_X} {...trunk} state={gate} />
      {gate === "WAITS" ? (
        <path
          className={RIPPLES}
          d={RIPPLE_LINES.map(({ x, part, dashes }) => `M${x} ${trunk.top + depth * part}${dashes}`).join("")}
        />
      ) : null}
      <text className={`${STRONG_TEXT} text-[17px] max-sm:text-[26px]`} x="0" y={trunk.top - 38}>
        {fitText(accountName(names, source.accountId), 24)}
      </text>
      {caption === null || !source.isTriggers ? null : (
        <text className="max-sm:hidden" x="0" y={trunk.top - 18}>
          {caption}
        </text>
      )}
    </svg>
  );
}

const WAITS: Record<GateState, string> = {
  WAITS: "Waiting at a closed gate: ",
  DOWN: "The gate is closed: ",
  OPEN: "",
};
