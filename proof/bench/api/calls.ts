import { API_BASE_PATH, createApi } from "@/lib/api/http/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { createPool } from "@/lib/db/pool";
import { createRealTimeServices } from "@/lib/testing/services";
import {
  type BarePlan,
  noteStatements,
  type SentStatement,
  toBareStatement,
} from "@/proof/bench/api/bare-runner";
import { type ApiScene, type ListOrganization, sweep } from "@/proof/bench/api/scene";
import type { BenchDatabase } from "@/proof/bench/arrange";

/** A request of one operation, as it is repeated. */
export interface Call {
  method: "GET" | "POST" | "PUT";
  /** Below the base path, with its query. */
  path: string;
  body?: unknown;
}

/**
 * One typical request of every operation; a rule is triggered as a dry run, since proof/bench/rules.ts measures live
 * ones.
 */
export function callsOf(scene: ApiScene): Record<string, Call> {
  const [operating, taxes] = scene.pods;
  const get = (path: string): Call => ({ method: "GET", path });
  const { someIds, ruleId } = scene;
  return {
    whoami: get("/whoami"),
    listAccounts: get("/accounts"),
    getAccount: get(`/accounts/${operating}`),
    listBalances: get("/balances"),
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
    listAllRuleExecutions: get("/rule-executions"),
    getRuleExecution: get(`/rules/${ruleId}/executions/${someIds.rule_executions}`),
    getFinancialProfile: get("/financial-profile"),
  };
}

/** The statements that one request of each operation sends to PostgreSQL, recorded on the code being measured. */
export async function captureCalls(
  database: BenchDatabase,
  { keys, someIds }: Pick<ListOrganization, "keys" | "someIds">,
  calls: readonly (readonly [string, Call])[],
): Promise<BarePlan> {
  const pool = createPool(database.application);
  const sent: SentStatement[] = [];
  const noting = noteStatements(pool, sent);
  const services = createRealTimeServices(noting);
  const api = createApi({ ...services, audit: createAuditWriter(services) });
  const key = keys[0];
  if (!key) throw new Error("There is no key to call with");
  // Before anything is created: what a request creates is new in every request.
  const knownIds = await readKnownIds(database);
  const plan: BarePlan["operations"] = {};
  for (const [name, { method, path, body }] of calls) {
    sent.length = 0;
    const response = await api.request(`${API_BASE_PATH}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
    plan[name] = sent.map((statement) => toBareStatement(statement, key.hash.toString("hex")));
  }
  await pool.end();
  return {
    keyHashes: keys.map(({ hash }) => hash.toString("hex")),
    knownIds: [...knownIds, ...Object.values(someIds)],
    operations: plan,
  };
}

/** Ids that exist before a request, and are the same in every other. */
export async function readKnownIds({ superuser }: BenchDatabase): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(
    `select id from api_keys union all select id from accounts union all select id from beneficiaries
      union all select id from rules union all select id from cards union all select id from users
      union all select id from organizations union all select id from ledgers`,
  );
  return rows.map(({ id }) => id);
}
