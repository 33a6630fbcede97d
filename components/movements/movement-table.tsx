import { Amount } from "@/components/money/amount";
import { AboutLine } from "@/components/movements/about-line";
import { MovementStatusChip, movementSluice } from "@/components/movements/movement-status";
import { rowLinkId } from "@/components/movements/row-link-id";
import { Flow } from "@/components/sluice/flow";
import { formatListMoment } from "@/components/time/format-list-moment";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import type { MovementListView, MovementRowView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface MovementTableProps {
  view: Pick<MovementListView, "rows" | "time" | "viewer">;
  caption: string;
}

/** The table of every list of movements. On phones the status stands under the movement. */
export function MovementTable({ view, caption }: MovementTableProps) {
  return (
    <table className="ledger tight mv">
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Movement</th>
          <th scope="col" className="mv-sc">
            Status
          </th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {view.rows.map((row) => (
          <MovementRow key={row.id} row={row} time={view.time} canDecide={view.viewer.canDecide} />
        ))}
      </tbody>
    </table>
  );
}

function MovementRow({
  row,
  time,
  canDecide,
}: {
  row: MovementRowView;
  time: TimeContext;
  canDecide: boolean;
}) {
  const status = (
    <MovementStatusChip status={row.status} canDecide={canDecide} isAssistant={row.isAssistant} />
  );
  const flow = <Flow from={row.fromName} to={row.toName} state={movementSluice(row.status)} />;
  return (
    <tr className={row.isOpen ? "is-link is-sel" : "is-link"}>
      <td className="dim nowrap">
        <Moment at={row.at} time={time} format={formatListMoment} />
      </td>
      <td>
        {/* Beside the list where there is room, on a page of its own where there is none. */}
        <Link
          id={rowLinkId(row.id)}
          className="mv-l hide-s"
          href={row.openHref}
          scroll={false}
          aria-current={row.isOpen ? "true" : undefined}
        >
          {flow}
        </Link>
        <Link className="mv-l only-s" href={row.pageHref}>
          {flow}
        </Link>
        <AboutLine about={row.about} time={time} />
        {row.canCancel ? (
          <Link className="link mv-c" href={row.pageHref}>
            Cancel<span className="vh"> this transfer</span>
          </Link>
        ) : null}
        <span className="mv-su">{status}</span>
      </td>
      <td className="mv-sc">{status}</td>
      <td className="num">
        {row.flow === "IN" ? (
          <span className="amt-in">
            <Amount cents={row.amountInCents} plus="whenPositive" />
          </span>
        ) : (
          <Amount cents={row.amountInCents} quiet={row.flow === "QUIET"} />
        )}
      </td>
    </tr>
  );
}
