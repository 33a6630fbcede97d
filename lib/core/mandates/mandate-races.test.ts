import { describe, expect, it } from "vitest";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { endMandate } from "@/lib/core/mandates/end-mandate";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createPool } from "@/lib/db/pool";
import { joinTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { putMandate } from "@/lib/testing/mandates/put-mandate";
import { NEW_YORK, routeTerms } from "@/lib/testing/mandates/route-terms";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices, TestClock } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * Goal: however many processes use a mandate at once, and whatever else moves money from the same source meanwhile, no limit is
 * exceeded by a cent, and nothing deadlocks. Method: real connections of two pools with clocks of their own; where the order
 * matters, one transaction stays open while the other waits for it.
 */
const database = useTestDatabase(RACING);

const OPENING = 10_000_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: OPENING,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(true)], "claude-taxes");
  const fresh = () => ({
    ...owner,
    now: clock.now(),
    actor: { ...owner.actor, authenticatedAt: clock.now() },
  });
  const put = (change: Partial<MandateTerms>, apiKeyId = key.id, from = operating, to = taxes) =>
    putMandate(database, {
      organizationId,
      apiKeyId,
      memberId: owner.actor.id,
      terms: routeTerms({ sourceAccountIds: [from], destinationAccountIds: [to], ...change }),
      timeZone: NEW_YORK,
      now: clock.now(),
    });
  const ask = (amountInCents: number, through: Services = services, by = key, from = operating, to = taxes) =>
    askTransfer(through, by.context, { sourceAccountId: from, destinationAccountId: to, amountInCents });
  /** Summed from the transfers of the mandate, without the function that counts them for it. */
  const moved = async (mandateId: string) => {
    const { rows } = await database.ownerPool.query<{ count: number; inCents: number }>(
      `select count(*)::int as count, coalesce(sum(amount_in_cents), 0)::bigint as "inCents" from transfers
        where organization_id = $1 and mandate_id = $2`,
      [organizationId, mandateId],
    );
    return rows[0];
  };
  const expectCleanBooks = async () => {
    const books = await auditBooks(database, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    owner,
    operating,
    taxes,
    key,
    fresh,
    put,
    ask,
    moved,
    expectCleanBooks,
  };
}

/** Another process: its own connections, and a clock so far ahead. */
async function withOtherProcess<T>(
  services: Services,
  aheadMs: number,
  use: (other: Services) => Promise<T>,
): Promise<T> {
  const pool = createPool({ ...database.ownerConnection }, { max: 8 });
  const clock = new TestClock(new Date(services.clock.now().getTime() + aheadMs));
  try {
    return await use({ ...services, pool, clock });
  } finally {
    await pool.end();
  }
}

describe("two processes that use one mandate at once", () => {
  it.each<[string, Partial<MandateTerms>, { count: number; inCents: number }]>([
    ["its day", { dayInCents: 95_000 }, { count: 9, inCents: 90_000 }],
    ["its week", { weekInCents: 100_000 }, { count: 10, inCents: 100_000 }],
    ["its month", { monthInCents: 100_000 }, { count: 10, inCents: 100_000 }],
    ["its 30 days", { thirtyDaysInCents: 100_000 }, { count: 10, inCents: 100_000 }],
    ["its total", { totalInCents: 100_000 }, { count: 10, inCents: 100_000 }],
    ["its uses", { maximumUses: 7 }, { count: 7, inCents: 70_000 }],
    [
      "its recurrence",
      { recurrence: { period: "WEEK", atMost: 3, daysApart: null } },
      { count: 3, inCents: 30_000 },
    ],
    [
      "its days apart",
      { recurrence: { period: "DAY", atMost: 9, daysApart: 1 } },
      { count: 1, inCents: 10_000 },
    ],
    ["what it keeps", { keepsInCents: OPENING - 45_000 }, { count: 4, inCents: 40_000 }],
  ])("never exceed %s, and use all of it", async (_, change, most) => {
    const { services, put, ask, moved, expectCleanBooks } = await arrange();
    const mandateId = await put(change);
    const asked = await withOtherProcess(services, 3, (other) =>
      Promise.all(Array.from({ length: 40 }, (__, index) => ask(10_000, index % 2 === 0 ? services : other))),
    );
    expect(asked.filter((one) => one.mandateId === mandateId)).toHaveLength(most.count);
    expect(asked.filter(({ status }) => status === "APPROVAL_PENDING")).toHaveLength(40 - most.count);
    expect(await moved(mandateId)).toEqual(most);
    await expectCleanBooks();
  });

  it("are one budget on both sides of a month's end", async () => {
    const { services, clock, put, ask, moved } = await arrange();
    const mandateId = await put({ monthInCents: 100_000, thirtyDaysInCents: 150_000 });
    // In New York, by two clocks that are 40 milliseconds apart.
    clock.set(new Date("2026-02-01T04:59:59.980Z"));
    await withOtherProcess(services, 40, (other) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => ask(10_000, index % 2 === 0 ? services : other))),
    );
    const { rows } = await database.ownerPool.query<{ month: string; inCents: number }>(
      `select to_char(accepted_at at time zone 'America/New_York', 'YYYY-MM') as month, sum(amount_in_cents)::bigint as "inCents"
         from transfers where mandate_id = $1 group by 1`,
      [mandateId],
    );
    for (const { inCents } of rows) expect(inCents).toBeLessThanOrEqual(100_000);
    expect((await moved(mandateId))?.inCents).toBe(150_000);
  });

  it("finish when their keys' routes cross, each mandate within its own limit", async () => {
    const { services, organization, operating, taxes, put, ask, moved, expectCleanBooks } = await arrange();
    const reserve = await organization.addAccount({ name: "Reserve", type: "POD" });
    for (const pod of [taxes, reserve]) await organization.deposit(pod, 1_000_000);
    const pods = [operating, taxes, reserve];
    const keys = await Promise.all(
      ["a", "b", "c"].map((name) => organization.addKey([moveAnything(true)], name)),
    );
    const routes = keys.flatMap((key, at) =>
      [1, 2].map((step) => ({ key, from: pods[at] ?? "", to: pods[(at + step) % 3] ?? "" })),
    );
    const ids = await Promise.all(
      routes.map(({ key, from, to }) => put({ totalInCents: 50_000 }, key.id, from, to)),
    );
    await withOtherProcess(services, 1, (other) =>
      Promise.all(
        Array.from({ length: 90 }, (_, index) => {
          const route = routes[index % routes.length];
          if (!route) throw new Error("no such route");
          return ask(4_000, index % 4 < 2 ? services : other, route.key, route.from, route.to);
        }),
      ),
    );
    for (const id of ids) expect(await moved(id)).toEqual({ count: 12, inCents: 48_000 });
    await expectCleanBooks();
  });
});

describe("other money that leaves the source at the same moment", () => {
  it("of a key that asks nobody, a member's approval and a rule: what the mandate keeps stays there", async () => {
    const world = await arrange();
    const { services, organization, operating, taxes, put, ask, moved, fresh } = world;
    const reserve = await organization.addAccount({ name: "Reserve", type: "POD" });
    const free = await organization.addKey([moveAnything(false), ...anythingWithRules(false)], "free");
    const ruleId = await writeRule(services, free.context, {
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: taxes, minimumAmountInCents: null },
      steps: [
        {
          conditions: null,
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: reserve,
              amountInCents: 1_000,
              group: 0,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    const held = await ask(30_000);
    const mandateId = await put({ keepsInCents: OPENING - 150_000 });
    const leastAfterUse = await traceUses();
    const approve = async () => {
      const time = { nowAt: fresh().now.toISOString(), timeZone: NEW_YORK, locale: "en-US" };
      const view = await getApproval({ services, context: fresh(), time }, held.id);
      return decideProposal(services, fresh(), {
        proposalId: held.id,
        decision: "APPROVE",
        digest: view?.digest ?? "",
        note: null,
        confirmation: { kind: "NONE" },
      });
    };
    const uses = await withOtherProcess(services, 1, async (other) => {
      const asked = Array.from({ length: 30 }, (_, index) => ask(5_000, index % 2 === 0 ? services : other));
      const others = Array.from({ length: 8 }, () => ask(5_000, other, free, operating, reserve));
      const [made] = await Promise.all([
        Promise.all(asked),
        Promise.all(others),
        approve(),
        runAllRules(services),
      ]);
      return made;
    });
    await bookDueTransfers(services, 64);
    await runAllRules(services);
    const used = (await moved(mandateId))?.inCents ?? 0;
    expect(used).toBeLessThanOrEqual(150_000);
    expect(used).toBeGreaterThan(0);
    expect(uses.filter((one) => one.mandateId === mandateId)).toHaveLength(used / 5_000);
    expect(await leastAfterUse()).toBeGreaterThanOrEqual(OPENING - 150_000);
    await world.expectCleanBooks();
  });

  it("is seen by a use that waited for it", async () => {
    const { services, organization, operating, taxes, put, ask } = await arrange();
    const free = await organization.addKey([moveAnything(false)], "free");
    await put({ keepsInCents: OPENING - 100_000 });
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        askTransfer({ ...services, pool: joinTransaction(database.pool, client) }, free.context, {
          sourceAccountId: operating,
          destinationAccountId: taxes,
          amountInCents: 60_000,
        }),
      () => ask(60_000),
    );
    expect({ hasWaited, result }).toMatchObject({
      hasWaited: true,
      result: { status: "APPROVAL_PENDING", mandateId: null },
    });
  });
});

describe("a mandate that ends while it is used", () => {
  it("ended first: the use waits for that, and then for a person", async () => {
    const { services, fresh, put, ask } = await arrange();
    const mandateId = await put({});
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        endMandate({ ...services, pool: joinTransaction(database.pool, client) }, fresh(), mandateId),
      () => ask(10_000),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { status: "APPROVAL_PENDING" } });
  });

  it("used first: the end waits for it, and nothing is accepted afterwards", async () => {
    const { services, key, operating, taxes, fresh, put, ask, moved } = await arrange();
    const mandateId = await put({});
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        askTransfer({ ...services, pool: joinTransaction(database.pool, client) }, key.context, {
          sourceAccountId: operating,
          destinationAccountId: taxes,
          amountInCents: 10_000,
        }),
      () => endMandate(services, fresh(), mandateId),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: "IN_FORCE" });
    expect((await ask(10_000)).status).toBe("APPROVAL_PENDING");
    expect(await moved(mandateId)).toEqual({ count: 1, inCents: 10_000 });
  });

  it("at once with forty uses: what it answers is what it counts", async () => {
    const { services, fresh, put, ask, moved, expectCleanBooks } = await arrange();
    const mandateId = await put({});
    const asking = Array.from({ length: 40 }, () => ask(10_000));
    await asking[3];
    await endMandate(services, fresh(), mandateId);
    const asked = await Promise.all(asking);
    const accepted = asked.filter((one) => one.mandateId === mandateId).length;
    expect(await moved(mandateId)).toEqual({ count: accepted, inCents: accepted * 10_000 });
    expect((await ask(10_000)).status).toBe("APPROVAL_PENDING");
    await expectCleanBooks();
  });
});

/** Records what the source could spend just after each use, in its transaction, which holds the ledger. */
async function traceUses(): Promise<() => Promise<number>> {
  await database.ownerPool.query(`
    create table if not exists traced_uses (in_cents bigint not null);
    create or replace function trace_use() returns trigger language plpgsql security definer as $$ begin
      insert into traced_uses select l.credits_in_cents - l.debits_in_cents - l.held_in_cents from ledgers l
        where l.organization_id = new.organization_id and l.id = new.source_account_id;
      return null;
    end $$;
    create or replace trigger trace_use after insert on transfers for each row when (new.mandate_id is not null)
      execute function trace_use()`);
  return async () => {
    const { rows } = await database.ownerPool.query<{ least: number }>(
      "select min(in_cents)::bigint as least from traced_uses",
    );
    return rows[0]?.least ?? 0;
  };
}
