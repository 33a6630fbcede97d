import {
  BED_Y,
  BRIM_Y,
  type ReservoirInput,
  reservoirs,
  WIDTH,
} from "@/components/accounts/reservoirs-geometry";
import { Amount } from "@/components/money/amount";
import { formatCents } from "@/lib/contract/format-cents";
import type { ManagedAccountView } from "@/lib/contract/views/accounts-view";

const BANK_Y = 150;

/** Income sources and pods as basins of one scale, with their gates; the names and amounts under them are its text twin. */
export function ReservoirFigure({
  accounts,
  rest,
}: {
  accounts: ManagedAccountView[];
  /** Those that are not drawn: beside their sum the others would be drawn dry. */
  rest: { count: number; totalInCents: number };
}) {
  const inputs: ReservoirInput[] = accounts.map(({ id, balanceInCents, goalInCents, waitingOut }) => ({
    id,
    balanceInCents,
    goalInCents,
    hasWaiting: waitingOut !== null,
  }));
  return (
    <figure className="res-w">
      <ReservoirDrawing inputs={inputs} />
      <ul className="resl">
        {accounts.map(({ id, name, balanceInCents }) => (
          <li key={id}>
            <b>{name}</b>
            <Amount cents={balanceInCents} size="xl" />
          </li>
        ))}
      </ul>
      {rest.count > 0 ? (
        <p className="meta">
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
      className="chart resv"
      viewBox={`0 0 ${WIDTH} 168`}
      role="img"
      aria-label="Money held in the income source and in each pod, drawn to scale"
    >
      {basins.map(({ id, x, waterY, waterHeight, goalY, goalInCents }, index) => (
        <g key={id}>
          <rect className="dw" x={x + 0.5} y={waterY} width={basinWidth - 1} height={waterHeight} />
          {waterHeight > 0 ? <path className="sf" d={`M${x + 0.5} ${waterY}h${basinWidth - 1}`} /> : null}
          <path className="db" d={`M${x + 0.5} ${BRIM_Y}V${index === 0 ? BED_Y : BANK_Y}`} />
          <path
            className="db"
            d={`M${x + basinWidth - 0.5} ${BRIM_Y}V${index === basins.length - 1 ? BED_Y : BANK_Y}`}
          />
          {goalY === null || goalInCents === null ? null : (
            <>
              <path className="goal" d={`M${x + 1} ${goalY}h${basinWidth - 2}`} />
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
            className="dw"
            x={x - gap / 2 - 1}
            y={BANK_Y + 1}
            width={gap + 2}
            height={BED_Y - BANK_Y - 1}
          />
          <path className="db" d={`M${x - gap / 2} ${BANK_Y + 0.5}H${x + gap / 2}`} />
          <path className="db" d={`M${x - 5} 132V${BED_Y}M${x + 5} 132V${BED_Y}M${x - 8} 131.5h16`} />
          <rect
            className={isAmber ? "lf am" : "lf"}
            x={x - 3}
            y={BANK_Y - 1}
            width="6"
            height={BED_Y - BANK_Y + 1}
          />
        </g>
      ))}
      <path className="db" d={`M0 ${BED_Y + 0.5}H${WIDTH}`} />
    </svg>
  );
}
