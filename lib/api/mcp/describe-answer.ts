import {
  describeAccount,
  describeAccounts,
  describeBalances,
  describeBeneficiaries,
  describeNewAccount,
} from "@/lib/api/mcp/describe/accounts";
import type { Describer, Reader } from "@/lib/api/mcp/describe/answer-describer";
import { describeAuditLog } from "@/lib/api/mcp/describe/audit-log";
import { describeCaller } from "@/lib/api/mcp/describe/caller";
import { describeAddedDocument } from "@/lib/api/mcp/describe/documents";
import { describeMandate, describeMandates } from "@/lib/api/mcp/describe/mandates";
import { describePayees, describeProposedPayee } from "@/lib/api/mcp/describe/payees";
import { describeApprovalPolicy } from "@/lib/api/mcp/describe/policies";
import { describeProfile } from "@/lib/api/mcp/describe/profile";
import { describeProposal, describeProposals } from "@/lib/api/mcp/describe/proposals";
import {
  describeChangedRule,
  describeNewRule,
  describeRule,
  describeRules,
} from "@/lib/api/mcp/describe/rules";
import { describeAllRuns, describeRun, describeRuns, describeTriggered } from "@/lib/api/mcp/describe/runs";
import { describeSandbox } from "@/lib/api/mcp/describe/sandbox";
import {
  describeCardTransaction,
  describeCardTransactions,
  describeExternalTransaction,
  describeExternalTransactions,
} from "@/lib/api/mcp/describe/transactions";
import { describeTransferBatch } from "@/lib/api/mcp/describe/transfer-batches";
import { describeTransfer, describeTransfers } from "@/lib/api/mcp/describe/transfers";

/** Longer texts crowd an agent's context; the structured content has everything. */
const MAXIMUM_LENGTH = 8_000;
const CUT = "\n… cut here: the structured content has the rest.";

/** One per operation; a test compares with the operation table. */
const DESCRIBERS: Readonly<Record<string, Describer>> = {
  whoami: describeCaller,
  getApprovalPolicy: describeApprovalPolicy,
  listAccounts: describeAccounts,
  getAccount: describeAccount,
  listBalances: describeBalances,
  createAccount: describeNewAccount,
  listAccountTransfers: describeTransfers,
  listBeneficiaries: describeBeneficiaries,
  listPayees: describePayees,
  proposePayee: describeProposedPayee,
  createTransfer: describeTransfer,
  cancelTransfer: describeTransfer,
  createTransferBatch: describeTransferBatch,
  getTransferBatch: describeTransferBatch,
  listTransfers: describeTransfers,
  getTransfer: describeTransfer,
  addTransferDocument: describeAddedDocument,
  listProposals: describeProposals,
  getProposal: describeProposal,
  proposeRuleDeactivation: describeProposal,
  getMandates: describeMandates,
  getMandate: describeMandate,
  proposeMandate: describeMandate,
  cancelMandate: describeMandate,
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
  listAllRuleExecutions: describeAllRuns,
  cancelRuleExecution: describeRun,
  getRuleExecution: describeRun,
  listAuditLog: describeAuditLog,
  moveSandboxClock: describeSandbox,
  makeSandboxDeposit: describeSandbox,
  makeSandboxPurchase: describeSandbox,
  makeSandboxOutsideTransaction: describeSandbox,
  makeSandboxReturn: describeSandbox,
  decideInSandbox: describeSandbox,
  getFinancialProfile: describeProfile,
};

/**
 * An operation's answer in words that an agent can act on: amounts as money, what a status means, who must do what,
 * what to call next. Cents and whole records stay in the structured content beside it.
 * @param data the envelope's data; in a replay, as first answered
 * @param reader with the names of `accountIdsIn`; other accounts appear as ids
 */
export function describeAnswer(operationId: string, data: unknown, reader: Reader): string {
  const text = DESCRIBERS[operationId]?.(data, reader);
  // Money may have moved by now: failing to describe it must not make the call look failed. A replay from before an
  // update of Sluice may have a shape that is no longer known.
  if (text == null) return `${operationId} is done. Its answer is in the structured content.`;
  return text.length <= MAXIMUM_LENGTH ? text : cut(text);
}

/**
 * The part of a description that the data beside it does not have: some clients give their model the structured content
 * and nothing else. The lines of a list repeat its items.
 */
export function guidanceIn(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("- "))
    .join("\n");
}

const NEXT_STEP = /^Next: (.+)$/gm;

/** What to do next, as a description says it in lines that begin so; null where nothing follows. */
export function nextStepIn(text: string): string | null {
  const steps = [...text.matchAll(NEXT_STEP)].map(([, step = ""]) => step);
  return steps.length === 0 ? null : steps.join(" ");
}

const ACCOUNT_FIELD = /^(account|sourceAccount|destinationAccount)Ids?$/;
/** More than a page of a hundred needs; a rule of a thousand actions is too long for a sentence anyway. */
const MAXIMUM_NAMED = 200;

/** The accounts that an answer names only by id, each once. */
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

/** Cuts between lines: a quotation ends with its line, and must not run into our own words. */
function cut(text: string): string {
  const shown = text.slice(0, MAXIMUM_LENGTH - CUT.length);
  return `${shown.slice(0, shown.lastIndexOf("\n"))}${CUT}`;
}
