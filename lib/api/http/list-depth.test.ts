import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "@/lib/api/operations/table";
import { SUPERUSER } from "@/lib/db/embedded";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { createTestApi } from "@/lib/testing/api";
import { PLANNED_AS_SERVED, type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSize } from "@/lib/testing/proof-size";
import { type ListSizes, seedLists } from "@/lib/testing/seed-lists";
import { createTestServices } from "@/lib/testing/services";

/**
 * A page costs the same, however long the list. Goal: pages 1 and 1,000 of every list, in an organization with ten
 * million transfers, take at most half as long again as in one with twenty thousand. Method: two databases, seeded
 * alike; the plans of the statements as sent, in which no long table may be read from end to end and as many blocks
 * are read; and at the proof's size the same requests in turn, the fastest of many. The gate's sizes are not timed:
 * what else runs beside them decides a ratio of milliseconds.
 */
const SMALL = 20_000;
const LARGE = proofSize(60_000, 10_000_000);
const LARGE_OTHERS = proofSize(60_000, 2_000_000);
const ROUNDS = proofSize(2, 40);
const MORE_AT_MOST = 1.5;
const SLOWER_AT_MOST = proofSize(Number.POSITIVE_INFINITY, 1.5);
/** An index of texts reads the lists of a text's pieces, which grow with the table (docs/behavior/transfers.md). */
const TEXT_SLOWER_AT_MOST = proofSize(Number.POSITIVE_INFINITY, 15);
/** A higher tree costs a block for each of the few lookups of a page, which says nothing of a small number. */
const FURTHER_BLOCKS = 40;
const LONG_TABLES = [
  "transfers",
  "external_transactions",
  "card_transactions",
  "audit_entries",
  "rule_executions",
];

const EMPTY_PAGE = { items: [], pagination: { page: 1, pageSize: 10, hasNextPage: false } };
const EMPTY_WINDOW = {
  ...EMPTY_PAGE,
  window: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", truncated: false },
};

type Side = Awaited<ReturnType<typeof arrange>>;
const smallDatabase = useTestDatabase(PLANNED_AS_SERVED);
const largeDatabase = useTestDatabase(PLANNED_AS_SERVED);
let small: Side;
let large: Side;

beforeAll(async () => {
  small = await arrange(smallDatabase, sizesOf(SMALL, SMALL));
  large = await arrange(largeDatabase, sizesOf(LARGE, LARGE_OTHERS));
}, 1_800_000);
afterAll(() => Promise.all([small.superuser.end(), large.superuser.end()]));

function sizesOf(transfers: number, others: number): ListSizes {
  return {
    transfers,
    externalTransactions: others,
    cardTransactions: others,
    auditEntries: others,
    ruleExecutions: others,
  };
}

async function arrange(database: TestDatabase, sizes: ListSizes) {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const now = services.clock.now();
  const { organizationId } = organization;
  const cardId = newId(now);
  await database.ownerPool.query(
    `insert into cards values ($1, $2, 'DEBIT_CARD', 'Studio', '7704', $3, null, null, 'ACTIVE', $4, $4)`,
    [organizationId, cardId, operating, now],
  );
  const ruleId = newId(now);
  await database.ownerPool.query(
    `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
      values ($1, $2, 'Set aside', 1, '{}', $3, $3)`,
    [organizationId, ruleId, now],
  );
  await database.ownerPool.query(
    "insert into rule_versions values ($1, $2, 1, '{}', 'MEMBER', $3, 'Mara', $4)",
    [organizationId, ruleId, organization.owner.actor.id, now],
  );
  const key = await organization.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
  const owners = {
    organizationId,
    keyId: key.id,
    keyName: "test-key",
    pods: [operating, taxes],
    externalAccountId: checking,
    cardId,
    ruleId,
  } as const;
  const superuser = await connectAsSuperuser(database);
  await seedLists(superuser, owners, sizes, now);
  const sent: pg.QueryConfig[] = [];
  const call = createTestApi(noting(services, sent));
  return {
    database,
    superuser,
    organization,
    accounts: { operating, taxes, checking },
    cardId,
    ruleId,
    sent,
    call,
  };
}

async function connectAsSuperuser({ ownerConnection }: TestDatabase): Promise<pg.Client> {
  const superuser = new pg.Client({ ...ownerConnection, user: SUPERUSER });
  await superuser.connect();
  return superuser;
}

/** Notes every statement, to explain it afterwards. */
function noting(services: Services, sent: pg.QueryConfig[]): Services {
  const pool = new Proxy(services.pool, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name);
      return (query: pg.QueryConfig) => {
        sent.push(query);
        return target.query(query);
      };
    },
  });
  return { ...services, pool };
}

interface List {
  operationId: string;
  name: string;
  path: (side: Side) => string;
  /** An organization has few of them, whatever else it has. */
  isShort?: true;
  slowerAtMost?: number;
}

/** Requests of every list operation. */
const LISTS: List[] = [
  { operationId: "listAccounts", name: "accounts", path: () => "/accounts?", isShort: true },
  {
    operationId: "listTransfers",
    name: "transfers of one account",
    path: ({ accounts }) => `/transfers?accountId=${accounts.operating}`,
  },
  {
    operationId: "listTransfers",
    name: "transfers of two accounts",
    path: ({ accounts }) => `/transfers?accountId=${accounts.operating},${accounts.taxes}`,
  },
  {
    operationId: "listAccountTransfers",
    name: "an account's transfers",
    path: ({ accounts }) => `/accounts/${accounts.operating}/transfers?`,
  },
  {
    operationId: "listAccountTransfers",
    name: "an account's transfers, one side",
    path: ({ accounts }) => `/accounts/${accounts.operating}/transfers?accountRole=source`,
  },
  {
    operationId: "listTransfers",
    name: "transfers with one text",
    path: ({ accounts }) => `/transfers?accountId=${accounts.operating}&q=I00010000`,
    isShort: true,
    slowerAtMost: TEXT_SLOWER_AT_MOST,
  },
  { operationId: "listBalances", name: "balances", path: () => "/balances?", isShort: true },
  { operationId: "listPayees", name: "payees", path: () => "/payees?", isShort: true },
  { operationId: "listBeneficiaries", name: "beneficiaries", path: () => "/beneficiaries?", isShort: true },
  { operationId: "listTransactions", name: "card transactions", path: () => "/card-transactions?" },
  {
    operationId: "listTransactions",
    name: "card transactions of two accounts",
    path: ({ accounts }) => `/card-transactions?accountId=${accounts.operating},${accounts.taxes}`,
  },
  {
    operationId: "listTransactions",
    name: "card transactions of a card",
    path: ({ cardId }) => `/card-transactions?cardId=${cardId}`,
  },
  {
    operationId: "listExternalTransactions",
    name: "external transactions",
    path: () => "/external-transactions?direction=MONEY_OUT&status=COMPLETE",
  },
  {
    operationId: "listExternalTransactions",
    name: "external transactions of two accounts",
    path: ({ accounts }) => `/external-transactions?accountId=${accounts.checking},${accounts.taxes}`,
  },
  {
    operationId: "listTransfers",
    name: "transfers of an account that has none",
    path: ({ accounts }) => `/transfers?accountId=${accounts.checking}`,
    isShort: true,
  },
  { operationId: "listRules", name: "rules", path: () => "/rules?", isShort: true },
  {
    operationId: "listRuleExecutions",
    name: "runs of a rule",
    path: ({ ruleId }) => `/rules/${ruleId}/executions?`,
  },
  {
    operationId: "listRuleExecutions",
    name: "runs of a rule, dry ones too",
    path: ({ ruleId }) => `/rules/${ruleId}/executions?executionMode=ALL`,
  },
  { operationId: "listAllRuleExecutions", name: "runs of all rules", path: () => "/rule-executions?" },
  {
    operationId: "listAllRuleExecutions",
    name: "runs of all rules that succeeded",
    path: () => "/rule-executions?status=EXECUTED",
  },
  { operationId: "listProposals", name: "proposals", path: () => "/proposals?", isShort: true },
  { operationId: "getMandates", name: "mandates", path: () => "/mandates?", isShort: true },
  { operationId: "listAuditLog", name: "the audit log", path: () => "/audit-logs?" },
];

test("no list is left out", () => {
  const lists = operations.filter(({ output }) =>
    [EMPTY_PAGE, EMPTY_WINDOW].some((page) => output.safeParse(page).success),
  );
  const measured = new Set(LISTS.map(({ operationId }) => operationId));
  expect(lists.map(({ operationId }) => operationId).filter((id) => !measured.has(id))).toEqual([]);
});

describe.each(LISTS)("$name", ({ path, isShort, slowerAtMost = SLOWER_AT_MOST }) => {
  test.each([1, 1_000])("page %d costs the same in a long list as in a short one", async (page) => {
    const rows = isShort ? null : 10;
    const fastest = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round += 1) {
      fastest.small = Math.min(fastest.small, await time(small, `${path(small)}&page=${page}`, rows));
      fastest.large = Math.min(fastest.large, await time(large, `${path(large)}&page=${page}`, rows));
    }
    const { blocks: fewBlocks } = await explain(small, `${path(small)}&page=${page}`, rows);
    const { plans, blocks } = await explain(large, `${path(large)}&page=${page}`, rows);
    const ratio = fastest.large / fastest.small;
    process.stdout.write(
      `page ${page}: ${fastest.small.toFixed(2)} ms and ${fewBlocks} blocks of ${SMALL}, ${fastest.large.toFixed(2)} ms and ${blocks} blocks of ${LARGE}, ratio ${ratio.toFixed(2)}\n${plans}\n`,
    );
    for (const table of LONG_TABLES) expect(plans).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
    expect(blocks).toBeLessThan(fewBlocks * MORE_AT_MOST + FURTHER_BLOCKS);
    expect(ratio).toBeLessThan(slowerAtMost);
  });
});

test("page 1,000 of an account's transfers skips index entries instead of reading and sorting rows", async () => {
  const { plans } = await explain(large, `/transfers?accountId=${large.accounts.operating}&page=1000`, 10);
  expect(plans).toContain("Merge Append");
  expect(plans).toMatch(/Index Only Scan using transfers_by_source/);
  expect(plans).toMatch(/Index Only Scan using transfers_by_destination/);
  expect(plans).not.toContain("Sort Method");
});

const keys = new WeakMap<Side, { text: string; uses: number }>();

/** A key makes a hundred requests a minute, and nothing turns that off: so there are many. */
async function keyOf(side: Side): Promise<string> {
  const key = keys.get(side);
  if (key && key.uses < 99) {
    key.uses += 1;
    return key.text;
  }
  const { text } = await side.organization.addKey([
    { type: "READ_ACCOUNTS", accounts: "ALL" },
    { type: "READ_TRANSFERS", accounts: "ALL" },
    { type: "READ_RULES", rules: "ALL" },
    { type: "READ_AUDIT_LOGS" },
    { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }] },
  ]);
  keys.set(side, { text, uses: 1 });
  return text;
}

/** @param rows how many the page must hold; null where that says nothing */
async function time(side: Side, path: string, rows: number | null): Promise<number> {
  const key = await keyOf(side);
  const startedAt = performance.now();
  const { status, body } = await side.call(key, "GET", path);
  const tookMs = performance.now() - startedAt;
  expect({ path, status }).toEqual({ path, status: 200 });
  if (rows !== null) expect(Object(body).data.items).toHaveLength(rows);
  return tookMs;
}

/** The plans of what a request sends, as PostgreSQL carries them out, and how many blocks that reads. */
async function explain(
  side: Side,
  path: string,
  rows: number | null,
): Promise<{ plans: string; blocks: number }> {
  side.sent.length = 0;
  await time(side, path, rows);
  const plans: string[] = [];
  let blocks = 0;
  for (const { text, values } of side.sent.filter((query) => /^\s*(with|select)/i.test(query.text))) {
    if (/authenticate_api_keys|write_audit_entries/.test(text)) continue;
    const explained = await side.superuser.query(
      `explain (analyze, buffers, costs off, timing off) ${text}`,
      values,
    );
    const plan = explained.rows.map((row): string => row["QUERY PLAN"]).join("\n");
    plans.push(plan);
    blocks += blocksOf(plan);
  }
  expect(blocks).toBeGreaterThan(0);
  return { plans: plans.join("\n"), blocks };
}

/** Of the whole plan, which its first line with buffers sums up; those of planning follow it. */
function blocksOf(plan: string): number {
  const [executed = ""] = plan.split("\nPlanning:");
  const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(executed) ?? [];
  return Number(hit) + Number(read);
}
