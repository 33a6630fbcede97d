import { expect, it } from "vitest";
import { operations } from "@/lib/api/operations/table";

/**
 * Method, path and audit action of every operation, copied by hand from the specification (Parts 2, 4 and 5) and the
 * docs/behavior. `null`: an operation outside the specification's list of actions.
 */
const SPECIFIED: Readonly<Record<string, readonly [string, string | null]>> = {
  whoami: ["GET /whoami", null],
  getApprovalPolicy: ["GET /approval-policy", null],
  listAccounts: ["GET /accounts", "LIST_ACCOUNTS"],
  getAccount: ["GET /accounts/:id", "GET_ACCOUNT"],
  cancelTransfer: ["POST /transfers/:id/cancel", null],
  addTransferDocument: ["POST /transfers/:id/documents", null],
  listTransferDocuments: ["GET /transfers/:id/documents", null],
  getTransferDocument: ["GET /transfers/:id/documents/:documentId", null],
  createTransferBatch: ["POST /transfers/batch", null],
  getTransferBatch: ["GET /transfer-batches/:id", null],
  cancelRuleExecution: ["POST /rules/:ruleId/executions/:id/cancel", null],
  listProposals: ["GET /proposals", null],
  getProposal: ["GET /proposals/:id", null],
  getMandates: ["GET /mandates", null],
  getMandate: ["GET /mandates/:id", null],
  proposeMandate: ["POST /mandates", null],
  cancelMandate: ["POST /mandates/:id/cancel", null],
  proposeRuleDeactivation: ["POST /rules/:id/deactivation-proposals", null],
  listBalances: ["GET /balances", null],
  createAccount: ["POST /accounts", "CREATE_ACCOUNT"],
  listAccountTransfers: ["GET /accounts/:accountId/transfers", "LIST_TRANSFERS"],
  listBeneficiaries: ["GET /beneficiaries", "LIST_BENEFICIARIES"],
  listPayees: ["GET /payees", null],
  proposePayee: ["POST /payees", null],
  listRules: ["GET /rules", "LIST_RULES"],
  getRule: ["GET /rules/:id", "GET_RULE"],
  createRule: ["POST /rules", "CREATE_RULE"],
  updateRule: ["PUT /rules/:id", "UPDATE_RULE"],
  triggerRule: ["POST /rules/:id/trigger", "TRIGGER_RULE"],
  listRuleExecutions: ["GET /rules/:ruleId/executions", "LIST_RULE_EXECUTIONS"],
  listAllRuleExecutions: ["GET /rule-executions", null],
  getRuleExecution: ["GET /rules/:ruleId/executions/:id", "GET_RULE_EXECUTION"],
  createTransfer: ["POST /transfers", "CREATE_TRANSFER"],
  listTransfers: ["GET /transfers", "LIST_TRANSFERS"],
  getTransfer: ["GET /transfers/:id", "GET_TRANSFER"],
  listExternalTransactions: ["GET /external-transactions", null],
  getExternalTransaction: ["GET /external-transactions/:id", null],
  listTransactions: ["GET /card-transactions", null],
  getCardTransaction: ["GET /card-transactions/:id", null],
  listAuditLog: ["GET /audit-logs", "LIST_AUDIT_LOGS"],
  moveSandboxClock: ["POST /sandbox/clock", null],
  makeSandboxDeposit: ["POST /sandbox/deposits", null],
  makeSandboxPurchase: ["POST /sandbox/card-purchases", null],
  makeSandboxOutsideTransaction: ["POST /sandbox/outside-transactions", null],
  makeSandboxReturn: ["POST /sandbox/returns", null],
  decideInSandbox: ["POST /sandbox/decisions", null],
  getFinancialProfile: ["GET /financial-profile", "GET_FINANCIAL_PROFILE"],
};

it("operations have the names, addresses and audit actions of the specification", () => {
  const found = operations.map(({ operationId, method, path, auditAction }) => [
    operationId,
    [`${method} ${path}`, auditAction],
  ]);
  const expected = operations.map(({ operationId }) => [operationId, SPECIFIED[operationId]]);
  expect(found).toEqual(expected);
});
