import {
  describeAccount,
  describeAccounts,
  describeBeneficiaries,
  describeNewAccount,
} from "@/lib/api/mcp/describe/accounts";
import type { Describer } from "@/lib/api/mcp/describe/answer-describer";
import { describeAuditLog } from "@/lib/api/mcp/describe/audit-log";
import { describeProfile } from "@/lib/api/mcp/describe/profile";
import {
  describeChangedRule,
  describeNewRule,
  describeRule,
  describeRules,
} from "@/lib/api/mcp/describe/rules";
import { describeRun, describeRuns, describeTriggered } from "@/lib/api/mcp/describe/runs";
import {
  describeCardTransaction,
  describeCardTransactions,
  describeExternalTransaction,
  describeExternalTransactions,
} from "@/lib/api/mcp/describe/transactions";
import { describeTransfer, describeTransfers } from "@/lib/api/mcp/describe/transfers";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/** Longer texts crowd out what else an agent has to keep in mind; the structured content has everything. */
const MAXIMUM_LENGTH = 8_000;
const CUT = "\n… cut here: the structured content has the rest.";

/** A describer for each operation; a test holds this against the operation table. */
const DESCRIBERS: Readonly<Record<string, Describer>> = {
  listAccounts: describeAccounts,
  getAccount: describeAccount,
  createAccount: describeNewAccount,
  listAccountTransfers: describeTransfers,
  listBeneficiaries: describeBeneficiaries,
  createTransfer: describeTransfer,
  listTransfers: describeTransfers,
  getTransfer: describeTransfer,
  listTransactions: describeCardTransactions,
  getCardTransaction: describeCardTransaction,
  listExternalTransactions: describeExternalTransactions,
  getExternalTransaction: describeExternalTransaction,
  listRules: describeRules,
  createRule: describeNewRule,
  getRule: describeRule,
  updateRule: describeChangedRule,
  triggerRule: describeTriggered,
  listRuleExecutions: describeRuns,
  getRuleExecution: describeRun,
  listAuditLog: describeAuditLog,
  getFinancialProfile: describeProfile,
};

/**
 * What an operation answered, in words that an agent can act on: amounts as money, what a status means, who has to do
 * what, and what to call next. Cents and whole records stay in the structured content beside it.
 * @param data what the envelope holds; of a replay, in the shape of the first time
 * @param appUrl the address of the dashboard, without a slash at its end
 * @param names of accounts that the answer names by their ids (`accountIdsIn`); those that are missing are told by id
 */
export function describeAnswer(
  operationId: string,
  data: unknown,
  appUrl: string,
  names: AccountNames = {},
): string {
  const text = DESCRIBERS[operationId]?.(data, appUrl, names);
  // By now money may have been moved: words that we cannot find must not make the call look as if it had failed. A
  // replay of an answer from before an update of Sluice can be of a shape that we do not know any more.
  if (text == null) return `${operationId} is done. Its answer is in the structured content.`;
  return text.length <= MAXIMUM_LENGTH ? text : cut(text);
}

const ACCOUNT_FIELD = /^(account|sourceAccount|destinationAccount)Ids?$/;
/** A page of a hundred has fewer, and a rule of a thousand actions is too long for a sentence anyway. */
const MAXIMUM_NAMED = 200;

/** The accounts that an answer names by their ids alone, each once. */
export function accountIdsIn(data: unknown): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [data];
  while (waiting.length > 0 && found.size < MAXIMUM_NAMED) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [field, value] of Object.entries(node)) {
      const ids: unknown[] = ACCOUNT_FIELD.test(field) ? [value].flat() : [];
      for (const id of ids) if (typeof id === "string") found.add(id);
      if (ids.length === 0) waiting.push(value);
    }
  }
  return [...found];
}

/** Between lines: what others wrote is closed at the end of its line, and must not stay open before words of ours. */
function cut(text: string): string {
  const shown = text.slice(0, MAXIMUM_LENGTH - CUT.length);
  return `${shown.slice(0, shown.lastIndexOf("\n"))}${CUT}`;
}
