import type { AuditAction } from "@/lib/contract/audit-log";
import type { AuditView } from "@/lib/views/audit/read-audit-page";
import type { AuditRowView } from "@/lib/views/audit/read-sealed-entries";

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

/** What the specification's list of actions does not name. */
const OTHER_ACTIONS: readonly [method: string, path: RegExp, words: string][] = [
  ["GET", /^\/whoami$/, "Read what it may do"],
  ["GET", /^\/approval-policy$/, "Read who must approve"],
  ["GET", /^\/balances$/, "List balances"],
  ["GET", /^\/rule-executions$/, "List runs of all rules"],
  ["POST", /^\/transfers\/batch$/, "Propose transfers together"],
  ["GET", /^\/transfer-batches\/[^/]+$/, "Read a batch"],
  ["POST", /^\/transfers\/[^/]+\/cancel$/, "Cancel a transfer"],
  ["POST", /^\/transfers\/[^/]+\/documents$/, "Add a document to a transfer"],
  ["GET", /^\/transfers\/[^/]+\/documents$/, "List documents of a transfer"],
  ["GET", /^\/transfers\/[^/]+\/documents\/[^/]+$/, "Read a document"],
  ["POST", /^\/rules\/[^/]+\/executions\/[^/]+\/cancel$/, "Cancel a run of a rule"],
  ["GET", /^\/proposals$/, "List proposals"],
  ["GET", /^\/proposals\/[^/]+$/, "Read a proposal"],
  ["POST", /^\/proposals\/[^/]+\/signatures$/, "Sign a proposal"],
  ["DELETE", /^\/proposals\/[^/]+\/signatures$/, "Withdraw a signature"],
  ["POST", /^\/rules\/[^/]+\/deactivation-proposals$/, "Propose to deactivate a rule"],
  ["GET", /^\/mandates$/, "List its mandates"],
  ["POST", /^\/mandates$/, "Propose a mandate"],
  ["GET", /^\/mandates\/[^/]+$/, "Read a mandate"],
  ["POST", /^\/mandates\/[^/]+\/cancel$/, "Withdraw or end a mandate"],
  ["POST", /^\/sandbox\/clock$/, "Move the sandbox's clock"],
  ["POST", /^\/sandbox\/deposits$/, "Simulate a deposit"],
  ["POST", /^\/sandbox\/card-purchases$/, "Simulate a card purchase"],
  ["POST", /^\/sandbox\/outside-transactions$/, "Simulate an outside transaction"],
  ["POST", /^\/sandbox\/returns$/, "Simulate a return"],
  ["POST", /^\/sandbox\/decisions$/, "Decide as a test person"],
  ["GET", /^\/payees$/, "List payees"],
  ["POST", /^\/payees$/, "Propose a payee"],
  ["GET", /^\/card-transactions$/, "List card transactions"],
  ["GET", /^\/card-transactions\/[^/]+$/, "Read a card transaction"],
  ["GET", /^\/external-transactions$/, "List external transactions"],
  ["GET", /^\/external-transactions\/[^/]+$/, "Read an external transaction"],
];

const API_ROOT = "/platform/v1";

/** Without the root that all paths share. */
export const shortPath = (path: string): string =>
  path.startsWith(API_ROOT) ? path.slice(API_ROOT.length) : path;

/** `Propose a transfer`; a request to no operation by its method and path. */
export function requestWords({ action, method, path }: Pick<AuditRowView, "action" | "method" | "path">) {
  if (action !== null) return ACTION_WORDS[action];
  const [pathname = ""] = shortPath(path).split("?");
  const other = OTHER_ACTIONS.find(([verb, pattern]) => verb === method && pattern.test(pathname));
  return other ? other[2] : `${method} ${shortPath(path)}`;
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
