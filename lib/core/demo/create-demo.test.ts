import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { DEMO_FILE, demoDescriptionSchema } from "@/lib/contract/demo";
import { createDemo } from "@/lib/core/demo/create-demo";
import { ACCOUNT_NAMES, ACCOUNTS } from "@/lib/core/demo/northwind";
import { planHistory } from "@/lib/core/demo/plan-history";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { createOrganization } from "@/lib/core/organizations/create-organization";
import { reconcileDue } from "@/lib/core/reconciliation/reconcile";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { withSuperuser } from "@/lib/db/embedded-engine";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { auditBooks } from "@/lib/testing/conservation";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { createTestWebhooks } from "@/lib/testing/webhooks";

/** A Friday morning in New York, as in the design. */
const DESIGN_DAY = new Date("2026-11-20T16:26:00Z");
const HOUR_MS = 3_600_000;
/** For a test that creates more than one demo. */
const MAKING_TIMEOUT_MS = 180_000;
const BROWSER = { networkAddress: null, browserIds: [], userAgent: "test" };

/** Everything a test opens, closed when its file ends. */
const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

async function arrange(now = DESIGN_DAY) {
  const database = await createTestDatabase();
  opened.push(database.close);
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-demo-"));
  opened.push(() => rm(dataDirectory, { recursive: true }));
  const { services, clock } = createTestServices(database);
  clock.set(now);
  const ports = {
    bank: createSandboxBank(database.pool),
    aggregator: createSandboxAggregator(database.pool),
    webhooks: createTestWebhooks(),
  };
  const config = { appUrl: "http://localhost:3000", dataDirectory };
  return { database, services, clock, ports, config, create: () => createDemo(services, ports, config) };
}

async function readBooks({ ownerPool }: TestDatabase) {
  const { rows } = await ownerPool.query<{
    name: string;
    kind: string;
    balance: number;
    held: number;
    fromEntries: number;
  }>(`
    select coalesce(a.name, 'Bank') as name, l.kind, l.credits_in_cents - l.debits_in_cents as balance,
        l.held_in_cents as held,
        (select coalesce(sum(case when e.credit_ledger_id = l.id then e.amount_in_cents else -e.amount_in_cents end), 0)
           from entries e where e.organization_id = l.organization_id and l.id in (e.credit_ledger_id, e.debit_ledger_id)
        )::bigint as "fromEntries"
      from ledgers l left join accounts a on a.organization_id = l.organization_id and a.id = l.id`);
  return rows;
}

/** What waits by requester and destination, as the queue groups it. */
async function readWaiting({ ownerPool }: TestDatabase) {
  const { rows } = await ownerPool.query<{
    asked: string;
    count: number;
    amountInCents: number;
    firstAt: Date;
  }>(`
    select concat_ws(' → ', coalesce(t.proposed_by_name, e.started_by_name),
          case when p.batch_id is not null then 'batch' else coalesce(d.name, 'run') end) as asked,
        count(*)::int as count, min(p.created_at) as "firstAt",
        sum(coalesce(t.amount_in_cents, (e.base ->> 'incomingAmountInCents')::bigint))::bigint as "amountInCents"
      from proposals p
      left join transfers t using (organization_id, id) left join rule_executions e using (organization_id, id)
      left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
     where p.state = 'WAITING' group by 1 order by min(p.expires_at), 1`);
  return rows;
}

async function countUnfinished({ ownerPool }: TestDatabase, now = DESIGN_DAY): Promise<number> {
  const { rows } = await ownerPool.query<{ count: number }>(
    `
    select ((select count(*) from transfers where status = 'PROCESSING')
      + (select count(*) from rule_executions where due_at is not null or status = 'IN_PROGRESS')
      + (select count(*) from rules where next_run_at <= $1)
      + (select count(*) from notices where handled_at is null)
      + (select count(*) from sessions where revoked_at is null)
      + (select count(*) from sandbox_bank_notices where deliveries_left > 0 and due_at <= $1)
      + (select count(*) from sandbox_card_notices where deliveries_left > 0 and due_at <= $1)
      + (select count(*) from card_authorizations
          where status = 'AUTHORIZED' and merchant <> 'Harbor Cloud'))::int as count`,
    [now],
  );
  return rows[0]?.count ?? -1;
}

/** What rules moved; the plan must have predicted all of it. */
async function readRuleMoves({ ownerPool }: TestDatabase): Promise<string[]> {
  const { rows } = await ownerPool.query<{ move: string }>(
    `select concat_ws(' ', t.proposed_by_name, s.name, d.name, t.amount_in_cents, extract(epoch from t.created_at)::bigint)
           as move
       from transfers t join accounts s on s.id = t.source_account_id join accounts d on d.id = t.destination_account_id
      where t.origin = 'RULE' and t.status = 'COMPLETE'`,
  );
  return rows.map(({ move }) => move).sort();
}

function plannedRuleMoves(now: Date): string[] {
  return planHistory(now)
    .ruleMoves.map(({ rule, from, to, amountInCents, at }) =>
      [rule, from, to, amountInCents, Math.floor(at.getTime() / 1_000)].join(" "),
    )
    .sort();
}

/** What the endpoint's page shows. */
async function readEndpoint({ ownerPool }: TestDatabase, now: Date) {
  const { rows } = await ownerPool.query(
    `select e.status, e.failing_since as "failingSince", count(*) filter (where d.status = 'DEAD')::int as "failed",
         count(*) filter (where d.status = 'DELIVERED' and d.resent_at is not null)::int as resent,
         count(*) filter (where d.status = 'PENDING' and d.attempts > 0 and d.due_at > $1)::int as retrying,
         count(*) filter (where d.status = 'DELIVERED' and d.attempts > 1)::int > 3 as "someLater",
         count(*) filter (where d.status = 'DELIVERED' and d.attempts = 1)::int > 150 as "mostAtOnce"
       from webhook_endpoints e join webhook_deliveries d on d.organization_id = e.organization_id and d.endpoint_id = e.id
      group by e.organization_id, e.id`,
    [now],
  );
  return rows;
}

const ENDPOINT = {
  status: "ENABLED",
  failingSince: null,
  failed: 1,
  resent: 1,
  retrying: 1,
  someLater: true,
  mostAtOnce: true,
};

async function countOrganizations({ ownerPool }: TestDatabase): Promise<number> {
  const { rows } = await ownerPool.query<{ count: number }>(
    "select count(*)::int as count from organizations",
  );
  return rows[0]?.count ?? -1;
}

const MANAGED_BALANCES = Object.fromEntries(
  ACCOUNT_NAMES.filter((name) => ACCOUNTS[name].type !== "EXTERNAL_ACCOUNT").map((name) => [
    name,
    ACCOUNTS[name].balanceInCents,
  ]),
);

function managedBalances(books: Awaited<ReturnType<typeof readBooks>>) {
  return Object.fromEntries(
    books.filter(({ kind }) => kind === "MANAGED").map(({ name, balance }) => [name, balance]),
  );
}

/** plan-history.test.ts checks the plans of all of them; playing one takes seconds. */
const OTHER_DAYS = [
  ["at New Year", "2027-01-01T05:00:30Z"],
  ["just after the hour skipped in spring", "2027-03-14T07:00:01Z"],
  ["on the day after Christmas when banks are closed", "2022-12-26T22:00:00Z"],
  ["on a leap day", "2028-02-29T15:00:00Z"],
  ["on a Sunday", "2026-11-22T20:00:00Z"],
  ["just after midnight in New York", "2026-11-25T05:01:00Z"],
] as const;

describe("the demo organization", () => {
  let demo: Awaited<ReturnType<typeof arrange>>;
  let made: Awaited<ReturnType<typeof createDemo>>[];
  let description: Awaited<ReturnType<typeof createDemo>>;
  beforeAll(async () => {
    demo = await arrange();
    // Created by two processes that start at once, so that every test also covers that case.
    made = await Promise.all([demo.create(), demo.create()]);
    description = made.find((one) => one !== null) ?? null;
  });

  it("is created once when two processes start at once", async () => {
    expect(made.filter((one) => one !== null)).toHaveLength(1);
    expect(await countOrganizations(demo.database)).toBe(1);
  });

  it("has the balances of the design, to the cent", async () => {
    expect(managedBalances(await readBooks(demo.database))).toEqual({
      "Client payments": 360_000,
      Operating: 1_842_055,
      Taxes: 931_000,
      Payroll: 650_000,
      Profit: 784_520,
      "Owner’s pay": 215_000,
    });
  });

  it("has books that balance: each ledger equals its entries, all ledgers sum to zero, a purchase is held", async () => {
    const books = await readBooks(demo.database);
    expect(books.filter(({ balance, fromEntries }) => balance !== fromEntries)).toEqual([]);
    expect(books.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
    expect(books.flatMap(({ name, held }) => (held === 0 ? [] : [[name, held]]))).toEqual([
      ["Operating", 4_900],
    ]);
    const { rows } = await demo.database.ownerPool.query<{ id: string }>("select id from organizations");
    expect(await auditBooks(demo.database, rows[0]?.id ?? "")).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  });

  it("goes back twelve months, each with client payments and purchases on both card types", async () => {
    const { rows } = await demo.database.ownerPool.query<{ month: number; seen: string[] }>(
      `select floor(extract(epoch from $1 - happened.at) / (30.4 * 86400))::int as month,
           array_agg(distinct what order by what) as seen
         from (select completed_at as at, 'CLIENT' as what from transfers t
                 join accounts a on a.organization_id = t.organization_id and a.id = t.destination_account_id
                where t.source_account_id is null and a.type = 'INCOME_SOURCE' and t.status = 'COMPLETE'
               union all
               select x.created_at, c.card_type from card_transactions x
                 join cards c on c.organization_id = x.organization_id and c.id = x.card_id
                where x.subtype = 'PURCHASE') happened
        group by 1 having floor(extract(epoch from $1 - max(happened.at)) / (30.4 * 86400)) < 12 order by 1`,
      [DESIGN_DAY],
    );
    expect(rows).toEqual(
      Array.from({ length: 12 }, (_, month) => ({ month, seen: ["CLIENT", "DEBIT_CARD", "OMNI_CARD"] })),
    );
  });

  it("has money of every origin, and each kind of card transaction", async () => {
    const { rows: origins } = await demo.database.ownerPool.query(
      "select distinct origin, status from transfers where source_account_id is null order by 1, 2",
    );
    expect(origins).toEqual([
      { origin: "CHECK_DEPOSIT", status: "COMPLETE" },
      { origin: "DIRECT_DEPOSIT", status: "COMPLETE" },
      { origin: "DIRECT_DEPOSIT", status: "RETURNED" },
    ]);
    const { rows: subtypes } = await demo.database.ownerPool.query(
      "select subtype, count(*)::int as count from card_transactions group by 1 order by 1",
    );
    expect(subtypes).toEqual([
      { subtype: "PAYOUT", count: 1 },
      { subtype: "PURCHASE", count: 215 },
      { subtype: "REFUND", count: 3 },
    ]);
    const { rows: authorizations } = await demo.database.ownerPool.query(
      "select status, decline_reason as reason, count(*)::int as count from card_authorizations group by 1, 2 order by 1",
    );
    expect(authorizations).toEqual([
      { status: "AUTHORIZED", reason: null, count: 1 },
      { status: "DECLINED", reason: "CARD_FROZEN", count: 1 },
      { status: "RELEASED", reason: null, count: 1 },
      { status: "SETTLED", reason: null, count: 214 },
    ]);
  });

  it("has the cards of the design", async () => {
    const { rows } = await demo.database.ownerPool.query(
      `select c.name, c.number_last4 as digits, c.card_type as type, a.name as pod, c.status from cards c
         join accounts a on a.organization_id = c.organization_id and a.id = c.account_id order by c.id`,
    );
    expect(rows).toEqual([
      { name: "Studio", digits: "7704", type: "DEBIT_CARD", pod: "Operating", status: "ACTIVE" },
      { name: "Travel", digits: "1182", type: "DEBIT_CARD", pod: "Operating", status: "ACTIVE" },
      { name: "Subscriptions", digits: "9037", type: "OMNI_CARD", pod: "Operating", status: "ACTIVE" },
      { name: "Ads", digits: "2256", type: "OMNI_CARD", pod: "Profit", status: "FROZEN" },
    ]);
  });

  it("gives the waiting tax transfer the history of the design: 43 of 47 approved, twelve similar ones before", async () => {
    const { rows } = await demo.database.ownerPool.query(
      `select k.created_at as made, count(*) filter (where p.state = 'APPROVED')::int as approved,
           count(*) filter (where p.state <> 'WAITING')::int as decided,
           count(*) filter (where s.name = 'Operating' and d.name = 'Taxes' and t.status = 'COMPLETE')::int as before
         from api_keys k join proposals p on p.api_key_id = k.id
         join transfers t on t.organization_id = p.organization_id and t.id = p.id
         join accounts s on s.id = t.source_account_id join accounts d on d.id = t.destination_account_id
        where k.name = 'claude-bookkeeping' group by 1`,
    );
    expect(rows).toEqual([{ made: new Date("2026-08-03T14:12:00Z"), approved: 43, decided: 47, before: 12 }]);
    const { rows: others } = await demo.database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from transfers t join accounts s on s.id = t.source_account_id
         join accounts d on d.id = t.destination_account_id
        where s.name = 'Operating' and d.name = 'Taxes' and t.status = 'COMPLETE'`,
    );
    expect(others).toEqual([{ count: 12 }]);
  });

  it("has the queue of the design: 40 proposals of seven requesters, the first closing in 2 h 40 min", async () => {
    const closingIn = (hours: number, minutes: number) => ago(24 * 60 - hours * 60 - minutes);
    const waiting = (asked: string, count: number, amountInCents: number, firstAt: Date) => ({
      asked,
      count,
      amountInCents,
      firstAt,
    });
    expect(await readWaiting(demo.database)).toEqual([
      waiting("claude-bookkeeping → Redline Print", 6, 128_400, closingIn(2, 40)),
      waiting("ops-cardpay → Summit Visa", 1, 231_840, closingIn(2, 40)),
      waiting("claude-bookkeeping → Kiln Studio", 5, 98_000, closingIn(4, 15)),
      waiting("ops-payroll → Staff pay", 14, 146_000, closingIn(6, 30)),
      waiting("zapier-invoices → run", 1, 360_000, closingIn(9, 5)),
      waiting("Claude → Ostrom Photo", 7, 61_600, closingIn(11, 45)),
      waiting("mara-cli → Owner’s pay", 2, 62_000, closingIn(18, 2)),
      waiting("mara-cli → Profit", 2, 33_100, closingIn(18, 20)),
      waiting("claude-bookkeeping → Taxes", 1, 425_000, closingIn(21, 14)),
      waiting("Jonas Weil → batch", 3, 30_000, closingIn(22, 48)),
    ]);
    const { rows: documents } = await demo.database.ownerPool.query(
      "select name, media_type as type from transfer_documents order by name",
    );
    expect(documents).toEqual([
      { name: "RP-2211.pdf", type: "application/pdf" },
      { name: "RP-2215.pdf", type: "application/pdf" },
    ]);
    expect(await countUnfinished(demo.database)).toBe(0);
  });

  it("has the rules of the design: one with a waiting version, one never activated", async () => {
    const { rows } = await demo.database.ownerPool.query(`
      select r.name, r.active_version as active, r.latest_version as latest, r.paused_at as paused,
          string_agg(v.created_by_name, ', ' order by v.version) as "writtenBy",
          (select string_agg(concat_ws(' ', e.kind, e.version, u.name), ', ' order by e.at)
             from rule_events e left join users u on u.id = e.by_user_id
            where e.organization_id = r.organization_id and e.rule_id = r.id) as events
        from rules r join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
       group by r.organization_id, r.id order by r.id`);
    const claude = "claude-bookkeeping";
    const expected = (name: string, writtenBy: string, active: number | null, events: string | null) => ({
      name,
      writtenBy,
      active,
      latest: writtenBy.split(", ").length,
      paused: null,
      events,
    });
    const [mara, jonas] = ["ACTIVATED 1 Mara Okafor", "ACTIVATED 1 Jonas Weil"];
    expect(rows).toEqual([
      expected(
        "Split client payments",
        `${claude}, ${claude}, ${claude}, ${claude}`,
        3,
        "ACTIVATED 3 Mara Okafor",
      ),
      expected("Keep Payroll funded", claude, 1, jonas),
      expected("Friday owner’s pay", "Mara Okafor", 1, mara),
      expected("Send quarterly tax", claude, 1, mara),
      expected("Card payoff", "Jonas Weil", 1, jonas),
      expected("Year-end sweep", "Mara Okafor", null, null),
    ]);
    const { rows: waiting } = await demo.database.ownerPool.query(
      "select created_at as at, reason from rule_versions where version = 4",
    );
    expect(waiting).toEqual([{ at: ago(154), reason: expect.stringContaining("27% matches the last four") }]);
  });

  it("has rule runs in the last thirty days that moved money, were not needed, or had nothing to do", async () => {
    const { rows } = await demo.database.ownerPool.query(
      `select r.name, e.status, e.conditions_not_met as "conditionsNotMet", count(*)::int as runs,
           count(*) filter (where exists (select from transfers t
             where t.organization_id = e.organization_id and t.rule_execution_id = e.id))::int as moved
         from rule_executions e join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
        where e.created_at > $1::timestamptz - interval '30 days' group by r.id, 1, 2, 3 order by r.id, 2`,
      [DESIGN_DAY],
    );
    const ran = { status: "EXECUTED", conditionsNotMet: false };
    expect(rows).toEqual([
      {
        name: "Split client payments",
        status: "APPROVAL_PENDING",
        conditionsNotMet: false,
        runs: 1,
        moved: 0,
      },
      { name: "Split client payments", ...ran, runs: 4, moved: 4 },
      { name: "Keep Payroll funded", ...ran, runs: 5, moved: 2 },
      { name: "Friday owner’s pay", ...ran, runs: 4, moved: 4 },
      { name: "Send quarterly tax", ...ran, conditionsNotMet: true, runs: 8, moved: 0 },
    ]);
    expect(await readRuleMoves(demo.database)).toEqual(plannedRuleMoves(DESIGN_DAY));
  });

  it("has outside accounts that stay connected, with a year of transactions", async () => {
    const { rows: accounts } = await demo.database.ownerPool.query(
      `
      select a.name, c.status, c.refresh_due_at > $1 as "isDueLater", p.balance_in_cents as balance,
          p.last_statement_balance_in_cents as statement, p.next_payment_minimum_in_cents as minimum,
          p.next_payment_due_date::text as due, p.error,
          (select count(*)::int from external_transactions x where x.account_id = a.id) as transactions,
          (select $1::date - min(transaction_date)::date from external_transactions x where x.account_id = a.id) as days
        from accounts a join connections c on c.id = a.connection_id join provider_balances p on p.account_id = a.id
       order by a.name`,
      [DESIGN_DAY],
    );
    expect(accounts).toEqual([
      {
        name: "First Harbor Checking",
        status: "ACTIVE",
        isDueLater: true,
        balance: 620_418,
        statement: null,
        minimum: null,
        due: null,
        error: null,
        transactions: expect.any(Number),
        days: expect.any(Number),
      },
      {
        name: "Summit Visa",
        status: "ACTIVE",
        isDueLater: true,
        balance: expect.any(Number),
        statement: 231_840,
        minimum: 7_500,
        due: "2026-11-25",
        error: null,
        transactions: expect.any(Number),
        days: expect.any(Number),
      },
    ]);
    for (const { transactions, days } of accounts) {
      expect(transactions).toBeGreaterThan(200);
      expect(days).toBeGreaterThan(355);
    }
  });

  it("matches the other side of each transfer to or from outside, once each way", async () => {
    const { rows } = await demo.database.ownerPool.query(`
      select t.status, x.direction, count(distinct t.id)::int as transfers, count(x.id)::int as seen
        from transfers t
        left join external_transactions x on x.organization_id = t.organization_id and x.transfer_id = t.id
       where t.direction <> 'INTERNAL' and t.origin = 'API' and t.status in ('COMPLETE', 'RETURNED')
       group by 1, 2 order by 1, 2`);
    expect(rows).toEqual([
      { status: "COMPLETE", direction: "MONEY_IN", transfers: expect.any(Number), seen: expect.any(Number) },
      { status: "COMPLETE", direction: "MONEY_OUT", transfers: 1, seen: 1 },
      { status: "RETURNED", direction: "MONEY_IN", transfers: 2, seen: 2 },
      { status: "RETURNED", direction: "MONEY_OUT", transfers: 2, seen: 2 },
    ]);
    expect(rows[0]?.seen).toBe(rows[0]?.transfers);
    expect(rows[0]?.seen).toBeGreaterThan(10);
  });

  it("shows every outcome, and no unintended one", async () => {
    const { rows } = await demo.database.ownerPool.query<{ outcome: string; count: number }>(`
      select concat_ws(' ', p.state, t.status, t.error_code) as outcome, count(*)::int as count
        from proposals p join transfers t using (organization_id, id) group by 1`);
    const outcomes = Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
    expect(outcomes).toEqual({
      "APPROVED COMPLETE": expect.any(Number),
      "APPROVED FAILED ACH_R16": 2,
      "APPROVED RETURNED ACH_R10": 2,
      "DENIED APPROVAL_DENIED": 6,
      "EXPIRED APPROVAL_DENIED": 2,
      "WAITING APPROVAL_PENDING": 41,
    });
    expect(outcomes["APPROVED COMPLETE"]).toBeGreaterThan(240);
    const { rows: unasked } = await demo.database.ownerPool.query(
      `select distinct status from transfers t where origin = 'API'
         and not exists (select from proposals p where p.organization_id = t.organization_id and p.id = t.id)`,
    );
    expect(unasked).toEqual([{ status: "COMPLETE" }]);
  });

  it("notifies deciders of three waiting proposals by email and SMS: more would bury a person’s own mail", async () => {
    const { rows } = await demo.database.ownerPool.query<{
      channel: string;
      amounts: number[];
      count: number;
    }>(`
      select m.channel, m.status, count(*)::int as count,
          coalesce(t.amount_in_cents, (e.base ->> 'incomingAmountInCents')::bigint) as amount
        from messages m join message_proposals mp on mp.organization_id = m.organization_id and mp.message_id = m.id
        left join transfers t on t.organization_id = mp.organization_id and t.id = mp.proposal_id
        left join rule_executions e on e.organization_id = mp.organization_id and e.id = mp.proposal_id
       group by 1, 2, 4 order by 4, 1`);
    expect(rows).toEqual([
      { channel: "EMAIL", status: "QUEUED", amount: 231_840, count: 3 },
      { channel: "SMS", status: "QUEUED", amount: 231_840, count: 3 },
      { channel: "EMAIL", status: "QUEUED", amount: 360_000, count: 3 },
      { channel: "SMS", status: "QUEUED", amount: 360_000, count: 3 },
      { channel: "EMAIL", status: "QUEUED", amount: 425_000, count: 3 },
      { channel: "SMS", status: "QUEUED", amount: 425_000, count: 3 },
    ]);
  });

  it("describes itself in a file that only its owner can read", async () => {
    const path = join(demo.config.dataDirectory, DEMO_FILE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const written = demoDescriptionSchema.parse(JSON.parse(await readFile(path, "utf8")));
    expect(written).toEqual(description);
    expect(written.members.map(({ role }) => role)).toEqual(["OWNER", "CO_OWNER", "VIEWER", "CO_OWNER"]);
  });

  it("accepts the passwords and the key of its description", async () => {
    if (!description) throw new Error("no demo was made");
    for (const member of description.members) {
      const outcome = await signInWithPassword(demo.services, member, BROWSER);
      expect(outcome).toMatchObject({ kind: "SIGNED_IN" });
    }
    const authentication = await authenticateApiKey(demo.services, description.apiKey);
    expect(authentication?.actor.permissions).toContainEqual({
      type: "MANUAL_TRANSFER",
      entries: [{ source: "ANY", target: "ANY" }],
      approval: { required: true },
    });
    expect(authentication?.actor.permissions).toContainEqual({
      type: "TRIGGER_RULES",
      rules: "ALL",
      approval: { required: true },
    });
  });

  it("is not created again, and leaves the file unchanged", async () => {
    expect(await demo.create()).toBeNull();
    expect(await countOrganizations(demo.database)).toBe(1);
    const text = await readFile(join(demo.config.dataDirectory, DEMO_FILE), "utf8");
    expect(JSON.parse(text)).toEqual(description);
  });
});

describe("making the demo", () => {
  it("leaves a database with an organization unchanged", async () => {
    const { database, services, config, create } = await arrange();
    await createOrganization(services, {
      name: "Someone’s own",
      kind: "INDIVIDUAL",
      timeZone: "Europe/Vienna",
      owner: { name: "Ada", email: "ada@example.com", password: "correct horse battery" },
    });
    expect(await create()).toBeNull();
    expect(await countOrganizations(database)).toBe(1);
    await expect(stat(join(config.dataDirectory, DEMO_FILE))).rejects.toThrow("ENOENT");
  });

  it("never adds invented history when a real bank is configured", async () => {
    const { database, services, ports, config } = await arrange();
    expect(
      await createDemo(services, { ...ports, bank: { ...ports.bank, isSandbox: false } }, config),
    ).toBeNull();
    expect(await countOrganizations(database)).toBe(0);
  });

  it("leaves nothing behind if it crashes midway or cannot write its file, and is complete after the next start", {
    timeout: MAKING_TIMEOUT_MS,
  }, async () => {
    const { database, services, ports, config, create } = await arrange();
    const dying = expect(create()).rejects.toThrow();
    await killInTheMiddle(database);
    await dying;
    expect(await countOrganizations(database)).toBe(0);
    const nowhere = { ...config, dataDirectory: join(config.dataDirectory, "missing") };
    await expect(createDemo(services, ports, nowhere)).rejects.toThrow("ENOENT");
    expect(await countOrganizations(database)).toBe(0);
    expect(await create()).not.toBeNull();
    expect(managedBalances(await readBooks(database))).toEqual(MANAGED_BALANCES);
  });

  it.each(OTHER_DAYS.slice(0, proofSize(1, OTHER_DAYS.length)))(
    "has the same final state %s",
    async (_when, instant) => {
      const now = new Date(instant);
      const { database, create } = await arrange(now);
      expect(await create()).not.toBeNull();
      expect(managedBalances(await readBooks(database))).toEqual(MANAGED_BALANCES);
      expect(await readWaiting(database)).toHaveLength(10);
      expect(await readRuleMoves(database)).toEqual(plannedRuleMoves(now));
      expect(await countUnfinished(database, now)).toBe(0);
      expect(await readEndpoint(database, now)).toEqual([ENDPOINT]);
      const { rows } = await database.ownerPool.query<{ first: Date; last: Date }>(
        "select min(created_at) as first, max(greatest(created_at, updated_at)) as last from transfers",
      );
      expect(rows[0]?.last.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(rows[0]?.first.getTime()).toBeGreaterThan(now.getTime() - 390 * 24 * HOUR_MS);
    },
  );
});

function ago(minutes: number): Date {
  return new Date(DESIGN_DAY.getTime() - minutes * 60_000);
}

/** Kills the connection that creates the demo once it has booked something, like a process crash. */
async function killInTheMiddle({ ownerPool }: TestDatabase): Promise<void> {
  const findMaker = async () => {
    const { rows } = await ownerPool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
          and relation = 'entries'::regclass`,
    );
    return rows[0]?.pid ?? null;
  };
  const pid = await vi.waitUntil(findMaker, { interval: 5, timeout: 60_000 });
  await withSuperuser(inject("testServer"), (superuser) =>
    superuser.query("select pg_terminate_backend($1)", [pid]),
  );
}

it("agrees with the sandbox bank on every line of its twelve months", async () => {
  const { database, services, ports, create } = await arrange();
  await create();
  const reconciled = { bank: ports.bank, cards: createSandboxCardNetwork(database.pool) };
  await reconcileDue(services, reconciled, 8);
  await database.pool.query("update reconciliations set due_at = $1", [services.clock.now()]);
  await reconcileDue(services, reconciled, 8);
  const { rows } = await database.pool.query(
    `select r.bank_in_cents = r.books_in_cents as agrees, r.unexplained_in_cents as unexplained,
        (select count(*) from bank_differences)::int as differences,
        (select count(*) from bank_matches) > 100 as "hasMatches"
       from reconciliations r`,
  );
  expect(rows).toEqual([{ agrees: true, unexplained: 0, differences: 0, hasMatches: true }]);
});
