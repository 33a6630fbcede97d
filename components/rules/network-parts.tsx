import {
  branchLabel,
  branchOutcome,
  branchPaths,
  type DrawnBranch,
  fitText,
} from "@/components/rules/network-geometry";

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
      {flows && water === "THROUGH" ? <path className="dw" d={paths.water} /> : null}
      <path className={flows && water === "THROUGH" ? "db" : "db dry"} d={paths.banks} />
      {branch.fromName === null ? null : (
        <rect
          className="nd2"
          x={fromX - NODE_WIDTH}
          y={from.top - 3}
          width={NODE_WIDTH}
          height={from.bottom - from.top + 6}
        />
      )}
      <rect
        className={flows || branch.state === "PLANNED" ? "nd2" : "nd2 dry"}
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
  const { textX, width, nameLetters, lineLetters } = measures;
  const outcome = branchOutcome(branch);
  const isBeside = branch.name.length <= nameLetters || outcome === "";
  // The amount takes about as many characters of the line as it has.
  const labelLetters = Math.max(4, isBeside ? lineLetters : lineLetters - outcome.length - 2);
  const label = branchLabel(branch, labelLetters);
  return (
    <>
      <text className="strong" x={textX} y={middleY - 2}>
        {fitText(branch.name, isBeside && outcome !== "" ? nameLetters : lineLetters)}
      </text>
      {label === "" ? null : (
        <text className="pct" x={textX} y={middleY + 15}>
          {fitText(label, labelLetters)}
        </text>
      )}
      {outcome === "" ? null : (
        <text
          className={outcomeClass(branch, outcome)}
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

function outcomeClass({ name, state }: DrawnBranch["branch"], outcome: string): string | undefined {
  const colour = state === "FLOWS" ? "strong" : state === "FAILED" ? "bad" : "";
  const place = name.length + outcome.length > SIDE_BY_SIDE ? "under" : "";
  return [colour, place].filter((part) => part !== "").join(" ") || undefined;
}

export type GateState = "OPEN" | "DOWN" | "WAITS";

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
    <g className={state === "DOWN" ? "off" : undefined}>
      <path
        className="dp"
        d={`M${x - 8.5} ${beam}V${bottom + 6}M${x + 8.5} ${beam}V${bottom + 6}M${x - 13} ${beam}h26M${x} ${beam - 9}v${leaf.y - beam + 9}M${x - 5.5} ${beam - 9}h11`}
      />
      <rect
        className={state === "WAITS" ? "dl am" : "dl"}
        x={x - 4.5}
        y={leaf.y}
        width="9"
        height={leaf.height}
      />
    </g>
  );
}
