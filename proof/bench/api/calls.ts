import { type ApiScene, sweep } from "./scene";

/** A request of one operation, as it is repeated. */
export interface Call {
  method: "GET" | "POST" | "PUT";
  /** Below the base path, with its query. */
  path: string;
  body?: unknown;
}

/** One typical request of every operation; the trigger of a rule is a dry run, for the live ones are measured by proof/bench/rules.ts. */
export function callsOf(scene: ApiScene): Record<string, Call> {
  const [operating, taxes] = scene.pods;
  const get = (path: string): Call => ({ method: "GET", path });
  const { someIds, ruleId } = scene;
  return {
    listAccounts: get("/accounts"),
    getAccount: get(`/accounts/${operating}`),
    createAccount: { method: "POST", path: "/accounts", body: { type: "POD", name: "Bench" } },
    listAccountTransfers: get(`/accounts/${operating}/transfers`),
    listBeneficiaries: get("/beneficiaries"),
    createTransfer: {
      method: "POST",
      path: "/transfers",
      body: { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 100 },
    },
    listTransfers: get(`/transfers?accountId=${operating}`),
    getTransfer: get(`/transfers/${someIds.transfers}`),
    listExternalTransactions: get("/external-transactions"),
    getExternalTransaction: get(`/external-transactions/${someIds.external_transactions}`),
    listTransactions: get("/card-transactions"),
    getCardTransaction: get(`/card-transactions/${someIds.card_transactions}`),
    listAuditLog: get("/audit-logs"),
    listRules: get("/rules"),
    getRule: get(`/rules/${ruleId}`),
    createRule: { method: "POST", path: "/rules", body: sweep(operating, taxes) },
    updateRule: { method: "PUT", path: `/rules/${ruleId}`, body: sweep(operating, taxes) },
    triggerRule: { method: "POST", path: `/rules/${ruleId}/trigger`, body: { simulation: true } },
    listRuleExecutions: get(`/rules/${ruleId}/executions`),
    getRuleExecution: get(`/rules/${ruleId}/executions/${someIds.rule_executions}`),
    getFinancialProfile: get("/financial-profile"),
  };
}
