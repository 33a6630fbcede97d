import { Amount } from "@/components/money/amount";
import { roundUp } from "@/components/sluice/page-sluice";
import { formatCents } from "@/lib/contract/format-cents";
import type { ManagedAccountView } from "@/lib/views/accounts/read-accounts-page";

/** One basin of the drawing. */
interface ReservoirInput {
  id: string;
  balanceInCents: number;
  goalInCents: number | null;
  /** Whether an open proposal would take money from it: its gate is amber. */
  hasWaiting: boolean;
}

interface Reservoir {
  id: string;
  x: number;
  /** Top of the water. */
  waterY: number;
  waterHeight: number;
  goalY: number | null;
  goalInCents: number | null;
}

/** A gate between two basins; it belongs to the basin on its left. */
interface ReservoirGate {
  x: number;
  isAmber: boolean;
}

interface Reservoirs {
  basins: Reservoir[];
  gates: ReservoirGate[];
  basinWidth: number;
  gap: number;
}

export const WIDTH = 1112;
export const BRIM_Y = 20;
export const BED_Y = 164;
const GAP = 30.4;

/**
 * Basins side by side on one scale, which covers balances and goals, so that levels are comparable. A negative balance
 * draws no water.
 */
export function reservoirs(inputs: ReservoirInput[]): Reservoirs {
  const count = Math.max(1, inputs.length);
  const basinWidth = (WIDTH - (count - 1) * GAP) / count;
  const highest = Math.max(
    0,
    ...inputs.flatMap(({ balanceInCents, goalInCents }) => [balanceInCents, goalInCents ?? 0]),
  );
  const scale = roundUp(highest);
  const heightOf = (amountInCents: number) => round(Math.max(0, amountInCents / scale) * (BED_Y - BRIM_Y));
  const xOf = (index: number) => round(index * (basinWidth + GAP));
  return {
    basinWidth: round(basinWidth),
    gap: GAP,
    basins: inputs.map(({ id, balanceInCents, goalInCents }, index) => ({
      id,
      x: xOf(index),
      waterY: round(BED_Y - heightOf(balanceInCents)),
      waterHeight: heightOf(balanceInCents),
      goalY: goalInCents === null ? null : round(BED_Y - heightOf(goalInCents)),
      goalInCents,
    })),
    gates: inputs.slice(0, -1).map(({ hasWaiting }, index) => ({
      x: round(xOf(index) + basinWidth + GAP / 2),
      isAmber: hasWaiting,
    })),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const BANK_Y = 150;

/** Income sources and pods as basins on one scale; the names and amounts below say the same in text. */
export function ReservoirFigure({
  accounts,
  rest,
}: {
  accounts: ManagedAccountView[];
  /** Accounts left out: drawing their sum would make the other basins look empty. */
  rest: { count: number; totalInCents: number };
}) {
  const inputs: ReservoirInput[] = accounts.map(({ id, balanceInCents, goalInCents, waitingOut }) => ({
    id,
    balanceInCents,
    goalInCents,
    hasWaiting: waitingOut !== null,
  }));
  return (
    <figure className="m-0">
      <ReservoirDrawing inputs={inputs} />
      <ul className="grid grid-flow-col gap-x-[30.4px] mt-3 [grid-auto-columns:minmax(0,1fr)] list-none [&_b]:font-medium [&_li]:grid [&_li]:content-start [&_li]:gap-0.5 max-sm:grid-cols-[repeat(auto-fill,minmax(120px,1fr))] max-sm:grid-flow-row max-sm:gap-y-3.5 max-sm:gap-x-5">
        {accounts.map(({ id, name, balanceInCents }) => (
          <li key={id}>
            <b>{name}</b>
            <Amount cents={balanceInCents} size="xl" />
          </li>
        ))}
      </ul>
      {rest.count > 0 ? (
        <p className="text-sm text-ink-3">
          {rest.count} more {rest.count === 1 ? "holds" : "hold"} {formatCents(rest.totalInCents)}
          {rest.count === 1 ? "" : " together"}.
        </p>
      ) : null}
    </figure>
  );
}

function ReservoirDrawing({ inputs }: { inputs: ReservoirInput[] }) {
  const { basins, gates, basinWidth, gap } = reservoirs(inputs);
  return (
    <svg
      className="block w-full h-auto font-sans overflow-visible [&_text]:text-[12px] [&_text]:fill-ink-3 max-sm:[&_text]:hidden"
      viewBox={`0 0 ${WIDTH} 168`}
      role="img"
      aria-label="Money held in the income source and in each pod, drawn to scale"
    >
      {basins.map(({ id, x, waterY, waterHeight, goalY, goalInCents }, index) => (
        <g key={id}>
          <rect className="fill-water-2" x={x + 0.5} y={waterY} width={basinWidth - 1} height={waterHeight} />
          {waterHeight > 0 ? (
            <path className="fill-none stroke-teal" d={`M${x + 0.5} ${waterY}h${basinWidth - 1}`} />
          ) : null}
          <path
            className="fill-none stroke-ink-2"
            d={`M${x + 0.5} ${BRIM_Y}V${index === 0 ? BED_Y : BANK_Y}`}
          />
          <path
            className="fill-none stroke-ink-2"
            d={`M${x + basinWidth - 0.5} ${BRIM_Y}V${index === basins.length - 1 ? BED_Y : BANK_Y}`}
          />
          {goalY === null || goalInCents === null ? null : (
            <>
              <path
                className="fill-none stroke-teal [stroke-dasharray:4_4]"
                d={`M${x + 1} ${goalY}h${basinWidth - 2}`}
              />
              <text x={x + basinWidth - 8} y={goalY - 6} textAnchor="end">
                goal {formatCents(goalInCents).replace(/\.00$/, "")}
              </text>
            </>
          )}
        </g>
      ))}
      {gates.map(({ x, isAmber }) => (
        <g key={x}>
          <rect
            className="fill-water-2"
            x={x - gap / 2 - 1}
            y={BANK_Y + 1}
            width={gap + 2}
            height={BED_Y - BANK_Y - 1}
          />
          <path className="fill-none stroke-ink-2" d={`M${x - gap / 2} ${BANK_Y + 0.5}H${x + gap / 2}`} />
          <path
            className="fill-none stroke-ink-2"
            d={`M${x - 5} 132V${BED_Y}M${x + 5} 132V${BED_Y}M${x - 8} 131.5h16`}
          />
          <rect
            className={isAmber ? "fill-amber-fill" : "fill-teal"}
            x={x - 3}
            y={BANK_Y - 1}
            width="6"
            height={BED_Y - BANK_Y + 1}
          />
        </g>
      ))}
      <path className="fill-none stroke-ink-2" d={`M0 ${BED_Y + 0.5}H${WIDTH}`} />
    </svg>
  );
}
