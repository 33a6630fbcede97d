import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { sluiceState } from "@/components/sluice/sluice-state";
import { formatClock, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import type { OverviewView, RecentMovementView } from "@/lib/contract/views/overview-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What moved last. */
export function RecentMovements({ view: { movements, viewer, time } }: { view: OverviewView }) {
  return (
    <section aria-labelledby="recent">
      <div className="sec-h">
        <h2 className="h2" id="recent">
          Recent movements
        </h2>
        <Link className="link" href="/transfers">
          All movements
        </Link>
      </div>
      {movements.length === 0 ? (
        <Empty title="Nothing has moved yet">
          Deposits, transfers and what cards spend are listed here, the latest first.
        </Empty>
      ) : (
        <table className="ledger tight">
          <caption className="vh">Recent movements</caption>
          <thead className="vh">
            <tr>
              <th scope="col">When</th>
              <th scope="col">Movement</th>
              <th scope="col">Status</th>
              <th scope="col">Amount</th>
            </tr>
          </thead>
          <tbody>
            {movements.map((movement) => (
              <MovementRow key={movement.id} movement={movement} canDecide={viewer.canDecide} time={time} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface MovementRowProps {
  movement: RecentMovementView;
  canDecide: boolean;
  time: TimeContext;
}

function MovementRow({ movement, canDecide, time }: MovementRowProps) {
  const flow = <Flow from={movement.fromName} to={movement.toName} state={sluiceState(movement.status)} />;
  const status = <ApprovalStatusChip status={movement.status} canDecide={canDecide} />;
  return (
    <tr>
      <td className="meta nowrap ov-w">
        <Moment at={movement.at} time={time} format={formatWhen} />
      </td>
      <td>
        {movement.href ? <Link href={movement.href}>{flow}</Link> : flow}
        {movement.status === "SETTLED" ? null : <span className="only-s ov-s">{status}</span>}
      </td>
      <td className="hide-s">{status}</td>
      <td className="num">
        <span className={movement.isIn && movement.status === "SETTLED" ? "amt-in" : undefined}>
          <Amount cents={movement.amountInCents} {...(movement.isIn && { plus: "whenPositive" as const })} />
        </span>
      </td>
    </tr>
  );
}

/** The clock of today, the day of what is older. */
function formatWhen(at: string, time: TimeContext): string {
  return formatMoment(at, time).startsWith("Today") ? formatClock(at, time) : formatShortDay(at, time);
}
