import { Check, TriangleAlert } from "lucide-react";
import { formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import type { AuditAction } from "@/lib/contract/audit-log";
import type { AuditListedView, AuditRowView, AuditView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

export const ACTION_WORDS: Record<AuditAction, string> = {
  GET_ACCOUNT: "Read an account",
  LIST_ACCOUNTS: "List accounts",
  CREATE_ACCOUNT: "Open an account",
  LIST_BENEFICIARIES: "List beneficiaries",
  LIST_TRANSFERS: "List transfers",
  GET_TRANSFER: "Read a transfer",
  CREATE_TRANSFER: "Propose a transfer",
  TRIGGER_RULE: "Run a rule",
  LIST_RULES: "List rules",
  GET_RULE: "Read a rule",
  LIST_RULE_EXECUTIONS: "List runs of a rule",
  GET_RULE_EXECUTION: "Read a run",
  LIST_AUDIT_LOGS: "Read the audit log",
  CREATE_RULE: "Write a rule",
  UPDATE_RULE: "Change a rule",
  GET_FINANCIAL_PROFILE: "Read the profile",
};

const API_ROOT = "/platform/v1";

/** Without the root that all paths share. */
export const shortPath = (path: string): string =>
  path.startsWith(API_ROOT) ? path.slice(API_ROOT.length) : path;

/** `Propose a transfer`; an unnamed request by its method and path. */
export function requestWords({ action, method, path }: Pick<AuditRowView, "action" | "method" | "path">) {
  return action === null ? `${method} ${shortPath(path)}` : ACTION_WORDS[action];
}

/** `214 requests, 2 failed` */
export function foundWords({ count, failed, isMore }: AuditView["found"]): string {
  const number = count.toLocaleString("en-US");
  if (isMore) return `More than ${number} requests; of the last ${number}, ${failed} failed`;
  const requests = count === 1 ? "1 request" : `${number} requests`;
  return failed === 0 ? `${requests}, none failed` : `${requests}, ${failed} failed`;
}

export function isFiltered(search: AuditView["search"]): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

interface AuditTableProps {
  entries: readonly AuditListedView[];
  openedId: string | null;
  time: TimeContext;
}

/** Newest first. On phones, time and caller are below the request. */
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
        {entry.outcome === "FAILURE" ? (
          <span className="blk aud-r">{entry.errorDetail ?? entry.errorCode}</span>
        ) : null}
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
