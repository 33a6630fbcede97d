import {
  tellAccount,
  tellAccounts,
  tellBeneficiaries,
  tellNewAccount,
} from "@/lib/api/mcp/describe/accounts";
import type { Teller } from "@/lib/api/mcp/describe/answer-describer";
import { tellAuditLog } from "@/lib/api/mcp/describe/audit-log";
import { tellProfile } from "@/lib/api/mcp/describe/profile";
import { tellChangedRule, tellNewRule, tellRule, tellRules } from "@/lib/api/mcp/describe/rules";
import { tellRun, tellRuns, tellTriggered } from "@/lib/api/mcp/describe/runs";
import {
  tellCardTransaction,
  tellCardTransactions,
  tellExternalTransaction,
  tellExternalTransactions,
} from "@/lib/api/mcp/describe/transactions";
import { tellTransfer, tellTransfers } from "@/lib/api/mcp/describe/transfers";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/** Longer texts crowd out what else an agent has to keep in mind; the structured content has everything. */
const MAXIMUM_LENGTH = 8_000;
const CUT = "\n… cut here: the structured content has the rest.";

/** A teller for each operation; a test holds this against the operation table. */
const TELLERS: Readonly<Record<string, Teller>> = {
  listAccounts: tellAccounts,
  getAccount: tellAccount,
  createAccount: tellNewAccount,
  listAccountTransfers: tellTransfers,
  listBeneficiaries: tellBeneficiaries,
  createTransfer: tellTransfer,
  listTransfers: tellTransfers,
  getTransfer: tellTransfer,
  listTransactions: tellCardTransactions,
  getCardTransaction: tellCardTransaction,
  listExternalTransactions: tellExternalTransactions,
  getExternalTransaction: tellExternalTransaction,
  listRules: tellRules,
  createRule: tellNewRule,
  getRule: tellRule,
  updateRule: tellChangedRule,
  triggerRule: tellTriggered,
  listRuleExecutions: tellRuns,
  getRuleExecution: tellRun,
  listAuditLog: tellAuditLog,
  getFinancialProfile: tellProfile,
};

/**
 * What an operation answered, in words that an agent can act on: amounts as money, what a status means, who has to do
 * what, and what to call next. Cents and whole records stay in the structured content beside it.
 * @param data what the envelope holds; of a replay, in the shape of the first time
 * @param appUrl the address of the dashboard, without a slash at its end
 * @param names of accounts that the answer names by their ids (`accountIdsIn`); those that are missing are told by id
 */
export function tellAnswer(
  operationId: string,
  data: unknown,
  appUrl: string,
  names: AccountNames = {},
): string {
  const text = TELLERS[operationId]?.(data, appUrl, names);
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
