import { confirmPayee } from "@/lib/core/payees/decide-payee";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, createTestApi, moveAnything } from "@/lib/testing/api";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import { addPayee } from "@/lib/testing/as-entered";
import type { TestDatabase } from "@/lib/testing/database";
import { samplePdf } from "@/lib/testing/documents";
import { createTestOrganization } from "@/lib/testing/organization";
import { makeActive } from "@/lib/testing/rules/rules";

/** One id of every kind that operations accept. */
export interface Ids {
  operating: string;
  taxes: string;
  income: string;
  checking: string;
  visa: string;
  beneficiary: string;
  transfer: string;
  dryRun: string;
  proposal: string;
  document: string;
  batch: string;
  /** Waits, of the key `asking`. */
  mandate: string;
  rule: string;
  otherRule: string;
  ruleExecution: string;
  externalTransaction: string;
  card: string;
  cardTransaction: string;
  apiKey: string;
}

export type OrganizationWithEverything = Awaited<ReturnType<typeof createOrganizationWithEverything>>;

/**
 * An organization with one of everything that the API shows. `mark` (letters and digits, at most 10) is part of every
 * text of it, so a response with the mark has leaked this organization.
 */
export async function createOrganizationWithEverything(
  database: TestDatabase,
  services: Services,
  mark: string,
) {
  const organization = await createTestOrganization(database, services, `${mark} Studio`);
  const account = (
    name: string,
    type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT",
    balanceInCents: number,
  ) => organization.addAccount({ name: `${mark} ${name}`, type, balanceInCents });
  const operating = await account("Operating", "POD", 90_000_000);
  const taxes = await account("Taxes", "POD", 4_000_000);
  const income = await account("Income", "INCOME_SOURCE", 1_000_000);
  const checking = await account("Checking", "EXTERNAL_ACCOUNT", 500_000);
  const visa = await organization.addAccount({
    name: `${mark} Visa`,
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    balanceInCents: 120_000,
  });
  await addPayees(database, services, organization.owner, mark);
  const key = await organization.addKey(ALL_PERMISSIONS, `${mark}-key`);
  const asking = await organization.addKey([moveAnything(true)], `${mark}-asking`);
  const body = {
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents: 12_500,
    description: mark,
    reasonForApproval: `${mark} asks`,
  };
  const transfer = await askTransfer(services, key.context, body);
  const dryRun = await askTransfer(services, key.context, { ...body, simulation: true });
  const proposal = await askTransfer(services, asking.context, body);
  const document = await addDocument(services, asking.text, proposal.id, mark);
  const batch = await postBatch(services, asking.text, body);
  const mandate = await postMandate(services, asking.text, mark, { operating, taxes });
  await bookDueTransfers(services, 10);
  const createRule = (name: string) => postRule(services, key.text, `${mark} ${name}`, { operating, taxes });
  const rule = await createRule("Set aside taxes");
  const otherRule = await createRule("Another rule");
  await makeActive(database, rule);
  const ids: Ids = {
    operating,
    taxes,
    income,
    checking,
    visa,
    beneficiary: organization.beneficiaryId,
    transfer: transfer.id,
    dryRun: dryRun.id,
    proposal: proposal.id,
    document,
    batch,
    mandate,
    rule,
    otherRule,
    ruleExecution: newId(services.clock.now()),
    externalTransaction: newId(services.clock.now()),
    card: newId(services.clock.now()),
    cardTransaction: newId(services.clock.now()),
    apiKey: key.id,
  };
  await insertWorldOutside(database, services, organization.organizationId, ids, mark);
  return { ...organization, ids, key, askingKeyText: asking.text, mark };
}

async function addDocument(
  services: Services,
  keyText: string,
  transferId: string,
  mark: string,
): Promise<string> {
  const contentBase64 = samplePdf(`${mark} invoice`).toString("base64");
  const response = await createTestApi(services)(keyText, "POST", `/transfers/${transferId}/documents`, {
    body: { name: `${mark}.pdf`, contentBase64 },
  });
  if (response.status !== 201) throw new Error(`The document was refused: ${response.text}`);
  return Object(response.body).data.id;
}

async function postBatch(
  services: Services,
  keyText: string,
  { reasonForApproval, ...line }: { reasonForApproval: string },
): Promise<string> {
  const response = await createTestApi(services)(keyText, "POST", "/transfers/batch", {
    body: { reasonForApproval, transfers: [line] },
  });
  if (response.status !== 202) throw new Error(`The batch was refused: ${response.text}`);
  return Object(response.body).data.id;
}

async function postMandate(
  services: Services,
  keyText: string,
  mark: string,
  accounts: { operating: string; taxes: string },
): Promise<string> {
  const response = await createTestApi(services)(keyText, "POST", "/mandates", {
    body: { terms: { ...mandateTerms(accounts), purpose: `${mark} taxes` }, reason: `${mark} asks` },
  });
  if (response.status !== 202) throw new Error(`The mandate was refused: ${response.text}`);
  return Object(response.body).data.id;
}

/** The least that a mandate says. */
export function mandateTerms({ operating, taxes }: { operating: string; taxes: string }) {
  return {
    sourceAccountIds: [operating],
    destinationAccountIds: [taxes],
    maximumInCents: 20_000,
    from: "2025-01-01",
    until: "2026-12-31",
  };
}

async function postRule(
  services: Services,
  keyText: string,
  name: string,
  accounts: { operating: string; taxes: string },
): Promise<string> {
  const response = await createTestApi(services)(keyText, "POST", "/rules", {
    body: {
      name,
      trigger: { type: "MANUAL", accountId: accounts.operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: accounts.operating,
              destinationAccountId: accounts.taxes,
              group: 0,
              amountInCents: 1_000,
            },
          ],
        },
      ],
    },
  });
  if (response.status !== 201) throw new Error(`The rule was refused: ${response.text}`);
  return Object(response.body).data.id;
}

/** One that can be paid, and one that waits. */
async function addPayees(
  database: TestDatabase,
  services: Services,
  owner: Context<MemberActor>,
  mark: string,
): Promise<void> {
  const bank = createSandboxBank(database.pool);
  const account = {
    holderName: `${mark} Print Shop LLC`,
    accountKind: "CHECKING" as const,
    routingNumber: "101050001",
    accountNumber: "987654321",
  };
  const add = (name: string) =>
    addPayee(services, bank, owner, { name: `${mark} ${name}`, kind: "BUSINESS", account });
  const payeeId = await add("Print Shop");
  await add("Landlord");
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from payee_details where organization_id = $1 and payee_id = $2",
    [owner.organizationId, payeeId],
  );
  await confirmPayee(services, owner, {
    payeeId,
    detailsId: rows[0]?.id ?? "",
    callBackNote: `${mark} called`,
  });
}

/** What no command writes for a program: a run, and reports of banks and card networks. */
async function insertWorldOutside(
  { ownerPool }: TestDatabase,
  services: Services,
  organizationId: string,
  ids: Ids,
  mark: string,
): Promise<void> {
  const now = services.clock.now();
  await ownerPool.query(
    `insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
        reason_for_approval, created_at)
      values ($1, $2, $3, 1, 'EXECUTED', 'LIVE', '{"type":"SERVICE_API","amountInCents":5000}', $4, $5)`,
    [organizationId, ids.ruleExecution, ids.rule, `${mark} runs`, now],
  );
  await ownerPool.query(
    `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
        direction, status, description, transaction_date, merchant_name, category, created_at, updated_at)
      values ($1, $2, $3, $4, 4200, 'MONEY_OUT', 'COMPLETE', $5, $6, $5, 'SHOPPING', $6, $6)`,
    [organizationId, ids.externalTransaction, ids.checking, `${mark}-1`, `${mark} Store`, now],
  );
  await ownerPool.query(
    `insert into cards (organization_id, id, card_type, name, number_last4, account_id, status, created_at, updated_at)
      values ($1, $2, 'DEBIT_CARD', $3, '8236', $4, 'ACTIVE', $5, $5)`,
    [organizationId, ids.card, `${mark} Card`, ids.operating, now],
  );
  await ownerPool.query(
    `insert into card_transactions (organization_id, id, card_id, account_id, subtype, amount_in_cents, description,
        category, network_reference, created_at, completed_at)
      values ($1, $2, $3, $4, 'PURCHASE', 1850, $5, 'SHOPPING', $6, $7, $7)`,
    [organizationId, ids.cardTransaction, ids.card, ids.operating, `${mark} Cafe`, `${mark}-1`, now],
  );
}

/** Written by every request, whatever its outcome: the audit log (with its chain) and its key's rate window. */
const WRITTEN_BY_EVERY_REQUEST = "^(audit_.*|rate_windows)$";

/** By the pool of its database, whose tables stay. */
const countQueries = new WeakMap<object, string>();

/** The row count of each table, except those that every request writes: a refusal may not change it. */
export async function countRows({ ownerPool }: Pick<TestDatabase, "ownerPool">) {
  const text = countQueries.get(ownerPool) ?? (await buildCountQuery(ownerPool));
  countQueries.set(ownerPool, text);
  // Prepared once: planning a query of all tables takes longer than running it.
  const { rows } = await ownerPool.query<{ counts: Record<string, number> }>({ name: "count_rows", text });
  return rows[0]?.counts ?? {};
}

async function buildCountQuery(ownerPool: TestDatabase["ownerPool"]): Promise<string> {
  const { rows: tables } = await ownerPool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ $1 order by 1`,
    [WRITTEN_BY_EVERY_REQUEST],
  );
  // One row per table, not one argument: a function takes a hundred, and there are more than fifty tables.
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"`);
  return `select json_object_agg(name, n) as counts from (${counts.join(" union all ")}) counted`;
}

/** Everything stored for one organization, row by row: equal texts mean that nothing was touched. */
export async function readWholeOrganization(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
): Promise<Record<string, string[]>> {
  const { rows: tables } = await ownerPool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE' order by 1`,
  );
  const whole: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await ownerPool.query<{ row: string }>(
      `select r::text as row from "${name}" r where organization_id = $1 order by 1`,
      [organizationId],
    );
    whole[name] = rows.map(({ row }) => row);
  }
  return whole;
}

/**
 * The response to a request with an id of another organization: as if it did not exist. Listed for each field of each
 * operation that takes an id; for filters, an empty list.
 */
export const FOREIGN_IDS: Readonly<Record<string, Readonly<Record<string, readonly [keyof Ids, string]>>>> = {
  whoami: {},
  getApprovalPolicy: {},
  moveSandboxClock: {},
  makeSandboxDeposit: { accountId: ["operating", "403 ACCESS_DENIED"] },
  makeSandboxPurchase: { cardId: ["card", "403 ACCESS_DENIED"] },
  makeSandboxOutsideTransaction: { accountId: ["checking", "403 ACCESS_DENIED"] },
  makeSandboxReturn: { transferId: ["transfer", "403 ACCESS_DENIED"] },
  decideInSandbox: { proposalId: ["proposal", "403 ACCESS_DENIED"] },
  listAccounts: {},
  listBalances: {},
  getAccount: { id: ["operating", "404 ACCOUNT_NOT_FOUND"] },
  createTransfer: {
    sourceAccountId: ["operating", "400 TRANSFER_SOURCE_NOT_FOUND"],
    destinationAccountId: ["taxes", "400 TRANSFER_DESTINATION_NOT_FOUND"],
  },
  listTransfers: {
    accountId: ["operating", "404 ACCOUNT_NOT_FOUND"],
    ruleExecutionId: ["ruleExecution", "200 nothing"],
    mandateId: ["mandate", "200 nothing"],
  },
  listProposals: {},
  getMandates: {},
  getMandate: { id: ["mandate", "404 MANDATE_NOT_FOUND"] },
  proposeMandate: {},
  cancelMandate: { id: ["mandate", "404 MANDATE_NOT_FOUND"] },
  getProposal: { id: ["proposal", "404 PROPOSAL_NOT_FOUND"] },
  proposeRuleDeactivation: { id: ["rule", "404 RULE_NOT_FOUND"] },
  createTransferBatch: {},
  getTransferBatch: { id: ["batch", "404 TRANSFER_NOT_FOUND"] },
  cancelTransfer: { id: ["transfer", "404 TRANSFER_NOT_FOUND"] },
  getTransfer: { id: ["transfer", "404 TRANSFER_NOT_FOUND"] },
  addTransferDocument: { id: ["proposal", "404 TRANSFER_NOT_FOUND"] },
  listTransferDocuments: { id: ["proposal", "404 TRANSFER_NOT_FOUND"] },
  getTransferDocument: {
    id: ["proposal", "404 TRANSFER_NOT_FOUND"],
    documentId: ["document", "404 DOCUMENT_NOT_FOUND"],
  },
  createAccount: { beneficiaryId: ["beneficiary", "400 INVALID_PARAMETERS"] },
  listBeneficiaries: {},
  listPayees: {},
  proposePayee: {},
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
  listAllRuleExecutions: {},
  cancelRuleExecution: {
    ruleId: ["rule", "404 RULE_NOT_FOUND"],
    id: ["ruleExecution", "404 RULE_EXECUTION_NOT_FOUND"],
  },
  getRuleExecution: {
    ruleId: ["rule", "404 RULE_NOT_FOUND"],
    id: ["ruleExecution", "404 RULE_EXECUTION_NOT_FOUND"],
  },
};
