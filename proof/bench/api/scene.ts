import type { Pool } from "pg";
import type { PermissionInput } from "@/lib/contract/permissions";
import { hashKeyText } from "@/lib/core/keys/key-text";
import type { Context } from "@/lib/core/shared/context";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { type ListSizes, seedLists } from "@/lib/testing/seed-lists";
import { createRealTimeServices } from "@/lib/testing/services";
import { type BenchDatabase, openEmbeddedDatabase } from "../arrange";

/** Together 200,000 requests a clock minute: the rate limit is active and never reached. */
const KEYS = 2_000;
const ROWS = 20_000;

interface ApiKeyOfScene {
  text: string;
  hash: Buffer;
}

/** One organization with long lists. */
export interface ListOrganization {
  organizationId: string;
  keys: ApiKeyOfScene[];
  /** Operating and Taxes, with money. */
  pods: readonly [string, string];
  checking: string;
  cardId: string;
  ruleId: string;
  /** Some row of each list. */
  someIds: Record<"transfers" | "external_transactions" | "card_transactions" | "rule_executions", string>;
}

export type ApiScene = BenchDatabase & ListOrganization;

const EVERYTHING: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "CREATE_ACCOUNTS" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL" },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "READ_AUDIT_LOGS" },
  moveAnything(false),
];

/** One organization whose lists have twenty thousand rows, and many keys with every permission. */
export async function openApiScene(dataDirectory: string): Promise<ApiScene> {
  return openListScene(dataDirectory, { keys: KEYS, sizes: sizesOf(ROWS, ROWS) });
}

export function sizesOf(transfers: number, others: number): ListSizes {
  return {
    transfers,
    externalTransactions: others,
    cardTransactions: others,
    auditEntries: others,
    ruleExecutions: others,
  };
}

/** A dedicated database with one organization with lists of these sizes. */
export async function openListScene(
  dataDirectory: string,
  wanted: { keys: number; sizes: ListSizes },
): Promise<ApiScene> {
  const database = await openEmbeddedDatabase(dataDirectory);
  return { ...database, ...(await addLists(database, wanted)) };
}

/** One organization with lists of these sizes. */
export async function addLists(
  database: BenchDatabase,
  { keys: keyCount, sizes }: { keys: number; sizes: ListSizes },
): Promise<ListOrganization> {
  const pool = createPool(database.application);
  const ownerPool = createPool(database.owner);
  const services = createRealTimeServices(pool);
  const organization = await createTestOrganization({ pool, ownerPool }, services);
  const { organizationId } = organization;
  const balanceInCents = 1_000_000_000_000;
  const operating = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents,
  });
  const keys: (ApiKeyOfScene & { id: string })[] = [];
  for (let made = 0; made < keyCount; made++) {
    const { id, text } = await organization.addKey(EVERYTHING, `bench ${made}`);
    keys.push({ id, text, hash: hashKeyText(text) });
  }
  const pods = [operating, taxes] as const;
  const now = systemClock.now();
  const { cardId, ruleId } = await addCardAndRule(ownerPool, organization.owner, pods, now);
  const [firstKey] = keys;
  if (!firstKey) throw new Error("A scene has at least one key");
  const owners = { organizationId, pods, externalAccountId: checking, cardId, ruleId };
  await seedLists(database.superuser, { ...owners, keyId: firstKey.id, keyName: "bench 0" }, sizes, now);
  const someIds = await readSomeIds(ownerPool, organizationId);
  await Promise.all([pool.end(), ownerPool.end()]);
  return { organizationId, keys, pods, checking, cardId, ruleId, someIds };
}

async function addCardAndRule(
  ownerPool: Pool,
  owner: Context,
  [operating, taxes]: ApiScene["pods"],
  now: Date,
): Promise<{ cardId: string; ruleId: string }> {
  const { organizationId, actor } = owner;
  const cardId = newId(now);
  await ownerPool.query(
    `insert into cards values ($1, $2, 'DEBIT_CARD', 'Studio', '7704', $3, null, null, 'ACTIVE', $4, $4)`,
    [organizationId, cardId, operating, now],
  );
  const ruleId = newId(now);
  await ownerPool.query(
    `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
      values ($1, $2, 'Sweep', 1, $3, $4, $4)`,
    [organizationId, ruleId, [operating], now],
  );
  await ownerPool.query("insert into rule_versions values ($1, $2, 1, $3, 'MEMBER', $4, 'Mara', $5)", [
    organizationId,
    ruleId,
    JSON.stringify(sweep(operating, taxes)),
    actor.id,
    now,
  ]);
  return { cardId, ruleId };
}

async function readSomeIds(ownerPool: Pool, organizationId: string): Promise<ApiScene["someIds"]> {
  const someOf = async (table: string): Promise<string> => {
    const { rows } = await ownerPool.query(`select id from ${table} where organization_id = $1 limit 1`, [
      organizationId,
    ]);
    return rows[0]?.id;
  };
  return {
    transfers: await someOf("transfers"),
    external_transactions: await someOf("external_transactions"),
    card_transactions: await someOf("card_transactions"),
    rule_executions: await someOf("rule_executions"),
  };
}

export function sweep(from: string, to: string) {
  return {
    name: "Sweep",
    description: null,
    trigger: { type: "MANUAL", accountId: from },
    steps: [
      {
        conditions: null,
        actions: [
          {
            type: "FIXED",
            sourceAccountId: from,
            destinationAccountId: to,
            group: 0,
            amountInCents: 5_000,
          },
        ],
      },
    ],
    limits: [],
  };
}
