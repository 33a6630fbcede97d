"use client";

import { Clock, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { type ListSum, Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { movementSluice, rowLinkId } from "@/components/parts/movements/list-words";
import { Flow } from "@/components/sluice/row-sluice";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { MovementRowView } from "@/lib/views/movements/list-member-movements";
import type { MovementStatus } from "@/lib/views/movements/movement-rows";

/** The server formats what has times: its words and the browser's differ in places. */
export type MovementListedRow = Omit<MovementRowView, "at" | "about"> & {
  when: ReactNode;
  /** Anything unusual, or its origin. */
  aboutWords: ReactNode;
};

interface MovementTableProps {
  rows: readonly MovementListedRow[];
  sums: readonly ListSum[];
  canDecide: boolean;
  caption: string;
}

/**
 * The table of each list of movements. Drawn in the browser's part: as server components, each element of each row would
 * be sent twice.
 */
export function MovementTable({ rows, sums, canDecide, caption }: MovementTableProps) {
  return (
    <Table
      className="[--flow-from:112px] [&_td]:align-top [&_tr]:relative [&_td_.status]:-my-0.5 [&_td_.status]:mx-0"
      caption={caption}
      rows={rows}
      sums={sums}
      frame={({ isOpen }, cells) => <tr className={linkRowClass({ isOpen, isWide: true })}>{cells}</tr>}
      columns={[
        { head: "When", kind: "MOMENT", className: "text-ink-3", cell: ({ when }) => when },
        { head: "Movement", takesBelow: "AFTER", cell: (row) => <MovementName row={row} /> },
        {
          head: "Status",
          narrow: {
            hidden: "max-sm:hidden max-lg:in-[[data-split]]:hidden",
            below: "hidden mt-1.5 [&>span]:-my-0.5 max-sm:block max-lg:in-[[data-split]]:block",
          },
          className: "[&>span]:-my-0.5",
          cell: ({ status, isAssistant }) => (
            <MovementStatusChip status={status} canDecide={canDecide} isAssistant={isAssistant} />
          ),
        },
        {
          head: "Amount",
          kind: "MONEY",
          cell: ({ flow, amountInCents }) =>
            flow === "IN" ? (
              <Amount cents={amountInCents} plus="whenPositive" isIn />
            ) : (
              <Amount cents={amountInCents} quiet={flow === "QUIET"} />
            ),
        },
      ]}
    />
  );
}

function MovementName({ row }: { row: MovementListedRow }) {
  const flow = (
    <Flow from={row.fromName} to={row.toName} state={movementSluice(row.status)} layout="column" />
  );
  return (
    <>
      {/* Beside the list where there is room, on a page of its own where there is none. */}
      <Link
        id={rowLinkId(row.id)}
        className="max-sm:hidden! after:absolute after:inset-0 focus-visible:outline-offset-2"
        href={row.openHref}
        scroll={false}
        aria-current={row.isOpen ? "true" : undefined}
      >
        {flow}
      </Link>
      <Link
        className="sm:hidden! print:hidden! after:absolute after:inset-0 focus-visible:outline-offset-2"
        href={row.pageHref}
      >
        {flow}
      </Link>
      <span className={`${SUBLINE} mt-px wrap-anywhere`}>{row.aboutWords}</span>
      {row.canCancel ? (
        <Link
          className={`${LINK} relative z-1 text-[13px] max-sm:inline-block max-sm:py-2 max-sm:px-0`}
          href={row.pageHref}
        >
          Cancel<span className="sr-only"> this transfer</span>
        </Link>
      ) : null}
    </>
  );
}

interface MovementStatusChipProps {
  status: MovementStatus;
  canDecide: boolean;
  isAssistant: boolean;
}

/** The status of a movement. */
export function MovementStatusChip({ status, ...rest }: MovementStatusChipProps) {
  if (status === "DRY_RUN") {
    return (
      <Status tone="mute" icon={<FlaskConical />}>
        Dry run
      </Status>
    );
  }
  if (status === "PENDING") {
    return (
      <Status tone="teal" icon={<Clock />}>
        Not posted yet
      </Status>
    );
  }
  return <ApprovalStatusChip status={status} {...rest} />;
}
