import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expireCardAuthorizations } from "@/lib/core/cards/expire-card-authorizations";
import { setCardStatus } from "@/lib/core/cards/set-card-status";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices, releaseAvailableFunds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import type { CardPurchaseAnswer } from "@/lib/ports/cards/card-network-port";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestCards, type NoticeInput } from "@/lib/testing/cards";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { readExportedBooks } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const DAY_MS = 86_400_000;
const STEPS = 60;
const LIMIT_IN_CENTS = 60_000;
const FLOOR_IN_CENTS = 25_000;

const amountInCents = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
  {
    weight: 2,
    // Amounts ending in .01 to .09 make the sandbox network and bank behave unusually.
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 9 }))
      .map(([dollars, cents]) => dollars * 100 + cents),
  },
);
const card = fc.nat(2);
/** Few references, so that requests, settlements and releases of one authorization repeat and arrive in any order. */
const reference = fc.nat(12).map((number) => `A${number}`);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("PURCHASE" as const), card, amountInCents }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("ASK" as const), card, reference, amountInCents }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("SETTLE" as const),
      card,
      reference: fc.option(reference, { freq: 8 }),
      amountInCents,
      isFinal: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("RELEASE" as const), card, reference, amountInCents }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("REFUND" as const, "PAYOUT" as const),
      card,
      amountInCents,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("AGAIN" as const), which: fc.nat(1_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("TRANSFER" as const),
      from: fc.nat(2),
      to: fc.nat(2),
      amountInCents,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("STATUS" as const), card, isFrozen: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("WORK" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("DAYS" as const), days: fc.integer({ min: 1, max: 12 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two pods with three cards, one card with a limit and one pod with a floor, and an outside account. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const bank = createSandboxBank(database.pool);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const pods = [
    await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 150_000,
      floorInCents: FLOOR_IN_CENTS,
    }),
    await organization.addAccount({ name: "Travel", type: "POD", balanceInCents: 60_000 }),
  ];
  const [operating = "", travel = ""] = pods;
  const accounts = [
    ...pods,
    await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 500_000 }),
  ];
  const key = await organization.addKey([moveAnything(false)]);
  const play = createTestCards(database, services, organization);
  const cards = [
    { id: await play.issue({ accountId: operating, monthlyLimitInCents: LIMIT_IN_CENTS }), pod: operating },
    { id: await play.issue({ accountId: operating }), pod: operating },
    { id: await play.issue({ accountId: travel }), pod: travel },
  ];
  const reported: NoticeInput[] = [];
  const happened = new Set<string>();
  const cardAt = (index: number) => cards[index] ?? { id: "", pod: "" };

  const available = async (pod: string) => {
    const { rows } = await database.pool.query<{ available: number }>(
      `select credits_in_cents - debits_in_cents - held_in_cents as available
         from ledgers where organization_id = $1 and id = $2`,
      [organizationId, pod],
    );
    return rows[0]?.available ?? Number.NaN;
  };
  const spentThisMonth = async (cardId: string) => {
    const { rows } = await database.pool.query<{ spent: number }>(
      `select spent_in_cents as spent from card_months where organization_id = $1 and card_id = $2
          and month = date_trunc('month', $3::timestamptz at time zone 'America/New_York')::date`,
      [organizationId, cardId, clock.now()],
    );
    return rows[0]?.spent ?? 0;
  };

  /** An approval keeps floor and limit, to the cent. */
  async function answered(index: number, reason: string | null): Promise<void> {
    happened.add(reason ?? "APPROVED");
    if (reason !== null) return;
    const { id, pod } = cardAt(index);
    expect(await available(pod)).toBeGreaterThanOrEqual(pod === operating ? FLOOR_IN_CENTS : 0);
    if (index === 0) expect(await spentThisMonth(id)).toBeLessThanOrEqual(LIMIT_IN_CENTS);
  }

  async function isOpen(authorizationReference: string): Promise<boolean> {
    const { rows } = await database.pool.query(
      "select from card_authorizations where organization_id = $1 and network_reference = $2",
      [organizationId, authorizationReference],
    );
    return rows.length === 0;
  }

  async function askFor(
    index: number,
    amount: number,
    authorizationReference: string,
  ): Promise<CardPurchaseAnswer> {
    const isNew = await isOpen(authorizationReference);
    const reason = await play.ask(cardAt(index).id, amount, authorizationReference);
    // A repeated answer holds nothing new.
    if (isNew) await answered(index, reason);
    return reason === null ? { decision: "APPROVED" } : { decision: "DECLINED", reason };
  }

  async function report(notice: NoticeInput): Promise<void> {
    reported.push(notice);
    const recorded = await play.report(notice);
    if (recorded) happened.add(recorded.subtype);
  }

  async function work(): Promise<void> {
    await bookDueTransfers(services, 64);
    await submitDueTransfers(services, bank, 64);
    await collectBankNotices(services, bank, 64);
    await releaseAvailableFunds(services, 64);
    await play.collect();
    await expireCardAuthorizations(services, 500);
  }

  async function transfer(from: number, to: number, amount: number): Promise<void> {
    const route = { sourceAccountId: accounts[from] ?? "", destinationAccountId: accounts[to] ?? "" };
    await askTransfer(services, key.context, { ...route, amountInCents: Math.max(amount, 100) });
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === "PURCHASE") {
      const purchase = { organizationId, cardId: cardAt(one.card).id, merchant: "Nord", category: null };
      await play.driver.purchase(
        { ...purchase, amountInCents: one.amountInCents },
        {
          businessNow: clock.now(),
          authorize: (request) => askFor(one.card, request.amountInCents, request.authorizationReference),
        },
      );
    }
    if (one.kind === "ASK") await askFor(one.card, one.amountInCents, one.reference);
    if (one.kind === "SETTLE" || one.kind === "RELEASE" || one.kind === "REFUND" || one.kind === "PAYOUT") {
      const { card: index, amountInCents: amount, ...rest } = one;
      const money = { cardId: cardAt(index).id, amountInCents: amount };
      const unique = `N${reported.length}`;
      if (rest.kind === "SETTLE") {
        const { reference: authorization, isFinal } = rest;
        await report({ ...money, kind: "SETTLED", reference: unique, authorization, isFinal });
      } else if (rest.kind === "RELEASE")
        await report({ ...money, kind: "RELEASED", authorization: rest.reference });
      else await report({ ...money, kind: rest.kind, reference: unique });
    }
    if (one.kind === "AGAIN") {
      const notice = reported[one.which % Math.max(1, reported.length)];
      if (notice) await report(notice);
    }
    if (one.kind === "TRANSFER" && one.from !== one.to) await transfer(one.from, one.to, one.amountInCents);
    if (one.kind === "STATUS") {
      await setCardStatus(services, owner, cardAt(one.card).id, one.isFrozen ? "FROZEN" : "ACTIVE");
    }
    if (one.kind === "WORK") await work();
    if (one.kind === "DAYS") clock.advance(one.days * DAY_MS);
  }

  async function settle(): Promise<void> {
    for (let day = 0; day < 20; day++) {
      await work();
      clock.advance(DAY_MS);
    }
    await work();
  }

  const availableOfAll = () => Promise.all(pods.map(available));
  return { organizationId, take, settle, availableOfAll, happened };
}

/** Steps that Sluice can refuse, so none of them may take a balance below zero. */
const ASKING: readonly Step["kind"][] = ["PURCHASE", "ASK", "TRANSFER", "STATUS", "DAYS"];

async function expectSound(organizationId: string): Promise<void> {
  const report = await auditBooks(database, organizationId);
  expect(report).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
  expect(report.managedInCents).toBe(report.cameInInCents - report.wentOutInCents);
  // The month's counter, recomputed from the rows that it counts.
  const { rows } = await database.ownerPool.query(
    `with counted as (
       select card_id, month, sum(settled_in_cents + hold_in_cents) as amount
         from card_authorizations where organization_id = $1 group by 1, 2
       union all
       select card_id, date_trunc('month', completed_at at time zone 'America/New_York')::date, sum(amount_in_cents)
         from card_transactions
        where organization_id = $1 and subtype = 'PURCHASE' and authorization_id is null group by 1, 2),
     sums as (select card_id, month, sum(amount) as amount from counted group by 1, 2)
     select s.card_id, s.month, s.amount, m.spent_in_cents
       from sums s full join (select * from card_months where organization_id = $1) m using (card_id, month)
      where coalesce(s.amount, 0) <> coalesce(m.spent_in_cents, 0)`,
    [organizationId],
  );
  expect(rows).toEqual([]);
}

describe("random purchases, settlements of other amounts, releases, refunds, repetitions, transfers and returns", () => {
  it("lose no cent, explain every hold, keep floors and limits, and leave no hold open", {
    timeout: 900_000,
  }, async () => {
    const everHappened = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: 2 * STEPS }), async (steps) => {
        const { organizationId, take, settle, availableOfAll, happened } = await arrange();
        let before = await availableOfAll();
        for (const one of steps) {
          await take(one);
          await expectSound(organizationId);
          const after = await availableOfAll();
          if (ASKING.includes(one.kind)) {
            after.forEach((amount, pod) => {
              expect(amount).toBeGreaterThanOrEqual(Math.min(0, before[pod] ?? Number.NaN));
            });
          }
          before = after;
        }
        await settle();
        await expectSound(organizationId);
        await readExportedBooks(database.pool, organizationId);
        const { rows } = await database.pool.query(
          "select sum(held_in_cents)::bigint as held from ledgers where organization_id = $1",
          [organizationId],
        );
        expect(rows).toEqual([{ held: 0 }]);
        for (const one of happened) everHappened.add(one);
      }),
      { seed: proofSeed, numRuns: proofSize(4, 60), endOnFailure: true },
    );
    // Every answer and every kind of movement occurred.
    expect([...everHappened].sort()).toEqual([
      "APPROVED",
      "BELOW_FLOOR",
      "CARD_FROZEN",
      "INSUFFICIENT_FUNDS",
      "MONTHLY_LIMIT",
      "PAYOUT",
      "PURCHASE",
      "REFUND",
    ]);
  });
});
