"use client";

import { Check, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { requestWords } from "@/app/audit/_components/audit-words";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
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
 * Newest first. On phones, time and caller are below the request. Drawn in the browser's part: as server components, each
 * element of each row would be sent twice.
 */
export function AuditTable({ entries, openedId }: AuditTableProps) {
  return (
    <Ledger className="[&_tr]:relative">
      <caption className="sr-only">Requests, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="max-sm:not-print:hidden!">
            Time
          </th>
          <th scope="col" className="max-sm:not-print:hidden!">
            Key
          </th>
          <th scope="col">Action</th>
          <th scope="col" className="number">
            Outcome
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} isOpened={entry.id === openedId} />
        ))}
      </tbody>
    </Ledger>
  );
}

function EntryRow({ entry, isOpened }: { entry: AuditTableProps["entries"][number]; isOpened: boolean }) {
  return (
    <tr className={linkRowClass({ isOpen: isOpened })}>
      <td
        className={`${MONO} text-ink-3 max-sm:not-print:hidden! max-sm:whitespace-nowrap lg:whitespace-nowrap`}
      >
        {entry.when}
      </td>
      <td className="max-sm:not-print:hidden!">
        <span
          className={`${KEY_NAME} whitespace-nowrap in-[[data-split]]:wrap-anywhere in-[[data-split]]:whitespace-normal`}
        >
          {entry.callerName}
        </span>
      </td>
      <td>
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
        <span className={`${SUBLINE} wrap-anywhere`}>{entry.reason ?? "No reason for the call"}</span>
        <span className={`${SUBLINE} sm:hidden! print:hidden!`}>
          {entry.when}, {entry.callerName}
        </span>
      </td>
      <td className="number">
        <OutcomeStatus entry={entry} />
      </td>
    </tr>
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
