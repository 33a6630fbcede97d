import type { PermissionInput } from "@/lib/contract/permissions";
import { hashKeyText } from "@/lib/core/keys/key-text";
import { systemClock } from "@/lib/platform/clock";
import { createPool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { seedLists } from "@/lib/testing/seed-lists";
import { createRealTimeServices } from "@/lib/testing/services";
import { openScene, type Scene } from "../arrange";

/** Together 200,000 requests in a minute of the clock: the rate limit is at work and never reached. */
const KEYS = 2_000;
const ROWS = 20_000;

export interface ApiScene extends Scene {
  organizationId: string;
  keys: { text: string; hash: Buffer }[];
  /** Operating and Taxes, with money. */
  pods: readonly [string, string];
  checking: string;
  cardId: string;
  ruleId: string;
  /** Some row of each list. */
  someIds: Record<"transfers" | "external_transactions" | "card_transactions" | "rule_executions", string>;
}

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

/** One organization whose lists are twenty thousand rows long, and many keys that may do everything. */
export async function openApiScene(dataDirectory: string): Promise<ApiScene> {
  const scene = await openScene(dataDirectory, { organizations: 0 });
  const pool = createPool(scene.application);
  const ownerPool = createPool(scene.owner);
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
  const now = systemClock.now();
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
    organization.owner.actor.id,
    now,
  ]);
  const keys: ApiScene["keys"] = [];
  for (let made = 0; made < KEYS; made++) {
    const { text } = await organization.addKey(EVERYTHING, `bench ${made}`);
    keys.push({ text, hash: hashKeyText(text) });
  }
  const pods = [operating, taxes] as const;
  const { rows: firstKey } = await pool.query("select id from api_keys where organization_id = $1 limit 1", [
    organizationId,
  ]);
  await seedLists(
    scene.superuser,
    {
      organizationId,
      keyId: firstKey[0]?.id,
      keyName: "bench 0",
      pods,
      externalAccountId: checking,
      cardId,
      ruleId,
    },
    {
      transfers: ROWS,
      externalTransactions: ROWS,
      cardTransactions: ROWS,
      auditEntries: ROWS,
      ruleExecutions: ROWS,
    },
    now,
  );
  const someOf = async (table: string): Promise<string> => {
    const { rows } = await ownerPool.query(`select id from ${table} where organization_id = $1 limit 1`, [
      organizationId,
    ]);
    return rows[0]?.id;
  };
  const someIds = {
    transfers: await someOf("transfers"),
    external_transactions: await someOf("external_transactions"),
    card_transactions: await someOf("card_transactions"),
    rule_executions: await someOf("rule_executions"),
  };
  await Promise.all([pool.end(), ownerPool.end()]);
  await scene.superuser.query("vacuum analyze");
  return { ...scene, organizationId, keys, pods, checking, cardId, ruleId, someIds };
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
