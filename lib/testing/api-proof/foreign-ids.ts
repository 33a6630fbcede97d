import type { Ids } from "@/lib/testing/api-proof/organization-with-everything";

/**
 * What a request answers that names an id of another organization: as if there were nothing. Written for each field of
 * each operation that takes an id; of filters, an empty list.
 */
export const FOREIGN_IDS: Readonly<Record<string, Readonly<Record<string, readonly [keyof Ids, string]>>>> = {
  listAccounts: {},
  getAccount: { id: ["operating", "404 ACCOUNT_NOT_FOUND"] },
  createTransfer: {
    sourceAccountId: ["operating", "400 TRANSFER_SOURCE_NOT_FOUND"],
    destinationAccountId: ["taxes", "400 TRANSFER_DESTINATION_NOT_FOUND"],
  },
  listTransfers: {
    accountId: ["operating", "404 ACCOUNT_NOT_FOUND"],
    ruleExecutionId: ["ruleExecution", "200 nothing"],
  },
  getTransfer: { id: ["transfer", "404 TRANSFER_NOT_FOUND"] },
  createAccount: { beneficiaryId: ["beneficiary", "400 INVALID_PARAMETERS"] },
  listBeneficiaries: {},
  listAccountTransfers: { accountId: ["operating", "404 ACCOUNT_NOT_FOUND"] },
  listTransactions: {
    accountId: ["operating", "404 ACCOUNT_NOT_FOUND"],
    cardId: ["card", "200 nothing"],
  },
  getCardTransaction: { id: ["cardTransaction", "404 CARD_TRANSACTION_NOT_FOUND"] },
  listExternalTransactions: { accountId: ["checking", "404 ACCOUNT_NOT_FOUND"] },
  getExternalTransaction: { id: ["externalTransaction", "404 EXTERNAL_TRANSACTION_NOT_FOUND"] },
  listAuditLog: { apiKeyId: ["apiKey", "200 nothing"] },
  getFinancialProfile: {},
  listRules: { sourceAccountId: ["operating", "200 nothing"] },
  createRule: {},
  getRule: { id: ["rule", "404 RULE_NOT_FOUND"] },
  updateRule: { id: ["rule", "404 RULE_NOT_FOUND"] },
  triggerRule: { id: ["rule", "404 RULE_NOT_FOUND"] },
  listRuleExecutions: { ruleId: ["rule", "404 RULE_NOT_FOUND"] },
  getRuleExecution: {
    ruleId: ["rule", "404 RULE_NOT_FOUND"],
    id: ["ruleExecution", "404 RULE_EXECUTION_NOT_FOUND"],
  },
};
