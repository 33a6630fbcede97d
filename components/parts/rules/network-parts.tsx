import {
  branchLabel,
  branchOutcome,
  branchPaths,
  type DrawnBranch,
  fitText,
} from "@/components/parts/rules/network-geometry";
import { GATE_LEAF, IDLE_LEAF, STRONG_TEXT, WAITING_LEAF, WATER } from "@/components/sluice/ink";

/** The channels of a rule: lighter than those of one movement. */
export const CHANNEL_BANKS = "fill-none stroke-ink-3";
export const DRY_BANKS = "fill-none stroke-rule-strong [stroke-dasharray:3_5]";

/** Set on the drawing of a dry run, which has dashes and never water. */
export const SIMULATED =
  "[&_[data-water]]:fill-none [&_[data-banks]]:[stroke-dasharray:3_5] [&_rect:not([data-water])]:fill-rule-strong";

/** The water of a branch: flowing, behind a closed gate, or without a plan. */
export type WaterState = "THROUGH" | "WAITS";

interface BranchWordsMeasures {
  branchX: number;
  textX: number;
  /** The right edge of the amounts. */
  width: number;
  /** Maximum characters of a name beside an amount, and of a full line. */
  nameLetters: number;
  lineLetters: number;
  /** Drawn with larger letters on phones, and without the small lines. */
  isLargeOnPhones?: boolean;
}

interface NetworkBranchProps {
  drawn: DrawnBranch;
  measures: BranchWordsMeasures;
  water: WaterState;
}

const NODE_WIDTH = 5;
/** A node extends this far beyond its channel on either side. */
const NODE_MORE = 3;
const NODE_LEAST = 5;

/** One branch: channel, destination node, name, action, and outcome. */
export function NetworkBranch({ drawn, measures, water }: NetworkBranchProps) {
  const { branch, to, middleY, fromX, from } = drawn;
  const { branchX } = measures;
  const flows = branch.state === "FLOWS";
  const half = Math.max(NODE_LEAST, (to.bottom - to.top) / 2 + NODE_MORE);
  const paths = branchPaths(drawn, branchX);
  return (
    <>
      {flows && water === "THROUGH" ? <path className={WATER} data-water="" d={paths.water} /> : null}
      <path
        className={flows && water === "THROUGH" ? CHANNEL_BANKS : DRY_BANKS}
        data-banks=""
        d={paths.banks}
      />
      {branch.fromName === null ? null : (
        <rect
          className={GATE_LEAF}
          x={fromX - NODE_WIDTH}
          y={from.top - 3}
          width={NODE_WIDTH}
          height={from.bottom - from.top + 6}
        />
      )}
      <rect
        className={flows || branch.state === "PLANNED" ? GATE_LEAF : IDLE_LEAF}
        x={branchX}
        y={middleY - half}
        width={NODE_WIDTH}
        height={half * 2}
      />
      <BranchWords drawn={drawn} measures={measures} />
    </>
  );
}

/** If the name does not fit beside its amount, the amount goes to the second line. */
function BranchWords({ drawn: { branch, middleY }, measures }: Omit<NetworkBranchProps, "water">) {
  const { textX, width, nameLetters, lineLetters, isLargeOnPhones = false } = measures;
  const small = isLargeOnPhones ? "max-sm:hidden" : undefined;
  const outcome = branchOutcome(branch);
  const isBeside = branch.name.length <= nameLetters || outcome === "";
  // The amount takes about as many characters of the line as it has.
  const labelLetters = Math.max(4, isBeside ? lineLetters : lineLetters - outcome.length - 2);
  const label = branchLabel(branch, labelLetters);
  return (
    <>
      <text className={STRONG_TEXT} x={textX} y={middleY - 2}>
        {fitText(branch.name, isBeside && outcome !== "" ? nameLetters : lineLetters)}
      </text>
      {label === "" ? null : (
        <text className={small} x={textX} y={middleY + 15}>
          {fitText(label, labelLetters)}
        </text>
      )}
      {outcome === "" ? null : (
        <text
          className={outcomeClass(branch, outcome, isLargeOnPhones)}
          x={width}
          y={isBeside ? middleY - 2 : middleY + 15}
          textAnchor="end"
        >
          {outcome}
        </text>
      )}
    </>
  );
}

/** Characters of a name and its outcome that fit side by side on a phone, where text is larger. */
const SIDE_BY_SIDE = 19;

function outcomeClass(
  { name, state }: DrawnBranch["branch"],
  outcome: string,
  isLargeOnPhones: boolean,
): string {
  const color = state === "FLOWS" ? STRONG_TEXT : state === "FAILED" ? "fill-red" : "";
  // Letters this large leave a long name no room beside its amount.
  const isUnder = isLargeOnPhones && name.length + outcome.length > SIDE_BY_SIDE;
  return isUnder ? `${color} max-sm:translate-y-6` : color;
}

export type GateState = "OPEN" | "DOWN" | "WAITS";

const LEAF: Record<GateState, string> = { OPEN: GATE_LEAF, DOWN: IDLE_LEAF, WAITS: WAITING_LEAF };

interface NetworkGateProps {
  /** The middle of the gate. */
  x: number;
  /** The channel of the gate. */
  top: number;
  bottom: number;
  state: GateState;
}

/** A gate across a channel: up and teal, down and gray, or down and amber. */
export function NetworkGate({ x, top, bottom, state }: NetworkGateProps) {
  const beam = top - 36.5;
  const height = bottom - top;
  const leaf = state === "OPEN" ? { y: beam + 4, height: 27 } : { y: top - 4, height: height + 5 };
  return (
    <>
      <path
        className={`fill-none ${state === "DOWN" ? "stroke-ink-3" : "stroke-ink-2"}`}
        d={`M${x - 8.5} ${beam}V${bottom + 6}M${x + 8.5} ${beam}V${bottom + 6}M${x - 13} ${beam}h26M${x} ${beam - 9}v${leaf.y - beam + 9}M${x - 5.5} ${beam - 9}h11`}
      />
      <rect className={LEAF[state]} x={x - 4.5} y={leaf.y} width="9" height={leaf.height} />
    </>
  );
}
