"use client";

import { Check, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { requestWords } from "@/app/audit/_components/audit-words";
import { Table } from "@/components/layout/table";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { KEY_NAME, MONO, SUBLINE } from "@/components/ui/text-styles";
import type { AuditListedView } from "@/lib/views/audit/read-audit-page";
import type { AuditRowView } from "@/lib/views/audit/read-sealed-entries";

interface AuditTableProps {
  /** The server formats the moment: its words and the browser's differ in places. */
  entries: readonly (AuditListedView & { when: ReactNode })[];
  openedId: string | null;
}

/**
 * Newest first. Drawn in the browser's part: as server components, each element of each row would be sent twice.
 */
export function AuditTable({ entries, openedId }: AuditTableProps) {
  return (
    <Table
      className="[&_tr]:relative"
      caption="Requests, newest first"
      rows={entries}
      frame={({ id }, cells) => <tr className={linkRowClass({ isOpen: id === openedId })}>{cells}</tr>}
      columns={[
        {
          head: "Time",
          kind: "MOMENT",
          phone: "BELOW",
          className: `${MONO} text-ink-3`,
          cell: ({ when }) => when,
          below: ({ when, callerName }) => (
            <>
              {when}, {callerName}
            </>
          ),
        },
        {
          head: "Key",
          phone: "HIDDEN",
          cell: ({ callerName }) => (
            <span
              className={`${KEY_NAME} whitespace-nowrap in-[[data-split]]:wrap-anywhere in-[[data-split]]:whitespace-normal`}
            >
              {callerName}
            </span>
          ),
        },
        { head: "Action", cell: (entry) => <Action entry={entry} isOpened={entry.id === openedId} /> },
        { head: "Outcome", kind: "NUMBER", cell: (entry) => <OutcomeStatus entry={entry} /> },
      ]}
    />
  );
}

function Action({ entry, isOpened }: { entry: AuditTableProps["entries"][number]; isOpened: boolean }) {
  return (
    <>
      <Link
        className="font-medium wrap-anywhere after:absolute after:inset-0 max-sm:min-h-6"
        href={entry.href}
        scroll={false}
        aria-current={isOpened ? "true" : undefined}
      >
        {requestWords(entry)}
      </Link>
      {entry.outcome === "FAILURE" ? (
        <span className="block font-normal wrap-anywhere">{entry.errorDetail ?? entry.errorCode}</span>
      ) : null}
      <Reasons entry={entry} />
    </>
  );
}

/** The proposal's own reason first, since that is what people look for; each says whose words it is. */
function Reasons({ entry: { reason, proposalReason } }: { entry: AuditTableProps["entries"][number] }) {
  if (reason === null && proposalReason === null) {
    return <span className={`${SUBLINE} wrap-anywhere`}>No reason given</span>;
  }
  return (
    <>
      {proposalReason === null ? null : (
        <span className={`${SUBLINE} wrap-anywhere`}>For the proposal: {proposalReason}</span>
      )}
      {reason === null ? null : <span className={`${SUBLINE} wrap-anywhere`}>For the call: {reason}</span>}
    </>
  );
}

export function OutcomeStatus({ entry: { outcome } }: { entry: Pick<AuditRowView, "outcome"> }) {
  return outcome === "SUCCESS" ? (
    <Status tone="mute" icon={<Check aria-hidden="true" />}>
      Success
    </Status>
  ) : (
    <Status tone="red" icon={<TriangleAlert aria-hidden="true" />}>
      Failed
    </Status>
  );
}
