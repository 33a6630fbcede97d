import { Check, TriangleAlert } from "lucide-react";
import { formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { KEY_NAME, MONO, SUBLINE } from "@/components/ui/text-styles";
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
          <EntryRow key={entry.id} entry={entry} isOpened={entry.id === openedId} time={time} />
        ))}
      </tbody>
    </Ledger>
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
    <tr className={linkRowClass({ isOpen: isOpened })}>
      <td
        className={`${MONO} text-ink-3 max-sm:not-print:hidden! max-sm:whitespace-nowrap lg:whitespace-nowrap`}
      >
        <Moment at={entry.at} time={time} format={formatToSecond} />
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
        <span className={`${SUBLINE} wrap-anywhere`}>{entry.reason ?? "No reason given"}</span>
        <span className={`${SUBLINE} sm:hidden! print:hidden!`}>
          <Moment at={entry.at} time={time} format={formatToSecond} />, {entry.callerName}
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
