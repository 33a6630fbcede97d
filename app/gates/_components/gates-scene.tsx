import { BANKS, DRY_BED, GATE_LEAF, RIPPLES, WAITING_LEAF, WATER } from "@/components/sluice/ink";
import { formatInSentence } from "@/components/time/format-instant";
import type { GatesView } from "@/lib/views/gates/read-gates-page";

const WIDTH = 1104;
const STEP = 276;
const FLOOR = 150;
/** Water levels of the four basins; illustrative. */
const LEVELS = [84, 92, 78, 100];

/** Four basins with their gates: programs, assistants, rules, transfers. The list below has the same facts as text. */
export function GatesScene({ areClosed }: { areClosed: boolean }) {
  return (
    <svg className="h-auto w-full" viewBox={`0 18 ${WIDTH} 136`} aria-hidden="true">
      {LEVELS.map((level, index) => (
        <Basin key={level} x={index * STEP} level={level} isClosed={areClosed} />
      ))}
      <path className={BANKS} d={`M0 ${FLOOR}.5H${WIDTH}`} />
    </svg>
  );
}

function Basin({ x, level, isClosed }: { x: number; level: number; isClosed: boolean }) {
  const gate = x + 161;
  const end = x + STEP - 8;
  const leafTop = isClosed ? level - 16 : 40;
  return (
    <>
      {x > 0 ? <path className="stroke-rule-strong" d={`M${x} 38V${FLOOR}`} /> : null}
      <path className={WATER} d={`M${x} ${level}H${gate}V${FLOOR}H${x}z`} />
      <path
        className={RIPPLES}
        d={`M${x + 22} ${level + 16}h58m12 0h24M${x + 40} ${level + 30}h70m10 0h20M${x + 14} ${level + 44}h40m12 0h56`}
      />
      <path className={BANKS} d={`M${x} ${level - 0.5}H${gate}`} />
      <path
        className={BANKS}
        d={`M${gate + 0.6} 38V${FLOOR}M${gate + 19.6} 38V${FLOOR}M${gate - 10} 37.5h40M${gate + 10} 22v${leafTop - 22}M${gate - 2} 21.5h24`}
      />
      {isClosed ? (
        <path className={DRY_BED} d={`M${gate + 28} 138H${end}`} />
      ) : (
        <path className={WATER} d={`M${gate} 128H${end}V${FLOOR}H${gate}z`} />
      )}
      <rect
        className={isClosed ? WAITING_LEAF : GATE_LEAF}
        x={gate + 4}
        y={leafTop}
        width="12"
        height={isClosed ? FLOOR - leafTop : 60}
      />
    </>
  );
}

/** `Mara or Jonas`; many are not named. */
export function deciderWords(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (first === undefined) return "An owner";
  if (second === undefined) return first;
  return rest.length === 0 ? `${first} or ${second}` : `Any of ${names.length} owners and co-owners`;
}

export function gatesLede({ closed, deciderNames, time }: GatesView): string {
  if (!closed) {
    return "Closing all gates stops keys, assistants, rules, cards and unsent transfers until an owner or co-owner opens them.";
  }
  const who = closed.closedByName ?? "You";
  return `${who} closed all gates ${formatInSentence(closed.closedAt, time)}. Keys and assistants can still read, but no money leaves an account until ${deciderWords(deciderNames)} opens the gates.`;
}
