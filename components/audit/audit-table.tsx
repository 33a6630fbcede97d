import { Check, TriangleAlert } from "lucide-react";
import { requestWords } from "@/components/audit/audit-words";
import { formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import type { AuditListedView, AuditRowView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface AuditTableProps {
  entries: readonly AuditListedView[];
  openedId: string | null;
  time: TimeContext;
}

/** Requests, newest first. On phones time and caller stand under what was asked. */
export function AuditTable({ entries, openedId, time }: AuditTableProps) {
  return (
    <table className="ledger tight aud-t">
      <caption className="vh">Requests, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="hide-s">
            Time
          </th>
          <th scope="col" className="hide-s">
            Key
          </th>
          <th scope="col">Action</th>
          <th scope="col" className="num">
            Outcome
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} isOpened={entry.id === openedId} time={time} />
        ))}
      </tbody>
    </table>
  );
}

function EntryRow({
  entry,
  isOpened,
  time,
}: {
  entry: AuditListedView;
  isOpened: boolean;
  time: TimeContext;
}) {
  return (
    <tr className={isOpened ? "is-link is-sel" : "is-link"}>
      <td className="mono dim nowrap hide-s">
        <Moment at={entry.at} time={time} format={formatToSecond} />
      </td>
      <td className="hide-s">
        <span className="key">{entry.callerName}</span>
      </td>
      <td>
        <Link className="aud-a" href={entry.href} scroll={false} aria-current={isOpened ? "true" : undefined}>
          {requestWords(entry)}
        </Link>
        <span className="meta blk aud-r">{entry.reason ?? "No reason given"}</span>
        <span className="meta blk only-s">
          <Moment at={entry.at} time={time} format={formatToSecond} />, {entry.callerName}
        </span>
      </td>
      <td className="num">
        <OutcomeStatus entry={entry} />
      </td>
    </tr>
  );
}

export function OutcomeStatus({ entry: { outcome } }: { entry: Pick<AuditRowView, "outcome"> }) {
  return outcome === "SUCCESS" ? (
    <Status tone="mute" icon={<Check className="ic" aria-hidden="true" />}>
      Success
    </Status>
  ) : (
    <Status tone="red" icon={<TriangleAlert className="ic" aria-hidden="true" />}>
      Failed
    </Status>
  );
}
