/**
 * Goal: until a bank account has cooled off, no more than the organization's amount leaves to it, and no more to all that
 * cool off together: not by several payees, another name, another pod, nor at the same moment. Method: the sandbox bank on
 * a real PostgreSQL, races from two pods, and a property over payees, renames, removals and payments.
 */
import fc from "fast-check";
import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { accountKey } from "@/lib/core/payees/account-key";
import { confirmPayee, removePayee } from "@/lib/core/payees/decide-payee";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { addPayee, changePayee } from "@/lib/testing/as-entered";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const LIMIT = 50_000;
const ACCOUNT = "987654321";

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 10_000_000 });
  const operating = await pod("Operating");
  const reserve = await pod("Reserve");
  const key = await organization.addKey([moveAnything(false)]);
  const asking = await organization.addKey([moveAnything(true)], "asking-key");
  const bank = createSandboxBank(database.pool);
  const here = () => ({
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  });
  const confirm = async (payeeId: string) => {
    await database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
      [organizationId, payeeId],
    );
    await confirmPayee(services, here(), { payeeId, detailsId: rows[0]?.id ?? "", callBackNote: null });
  };
  const account = (accountNumber: string) => ({
    holderName: "Harbor Print Shop LLC",
    accountKind: "CHECKING" as const,
    routingNumber: "101050001",
    accountNumber,
  });
  const payee = async (name: string, accountNumber = ACCOUNT) => {
    const id = await addPayee(services, bank, here(), {
      name,
      kind: "BUSINESS",
      account: account(accountNumber),
    });
    await confirm(id);
    return id;
  };
  const rename = async (payeeId: string, name: string) => {
    await changePayee(services, bank, here(), { payeeId, name, kind: "BUSINESS", account: null });
    await confirm(payeeId);
  };
  const pay = (payeeId: string, amountInCents: number, source = operating, caller = key) =>
    askTransfer(
      services,
      { ...caller.context, now: clock.now() },
      {
        sourceAccountId: source,
        destinationAccountId: payeeId,
        amountInCents,
      },
    );
  /** What the bank has got, in cents, after everything due was sent. */
  const left = async () => {
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 100);
    const { rows } = await database.pool.query<{ cents: number }>(
      `select coalesce(sum(amount_in_cents), 0)::bigint as cents from sandbox_bank_orders where organization_id = $1`,
      [organizationId],
    );
    return rows[0]?.cents ?? 0;
  };
  const look = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: here(), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const approve = (id: string, digest: string) =>
    decideProposal(services, here(), {
      proposalId: id,
      decision: "APPROVE",
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  /** Writes two orders in transactions that overlap, the second while the first is open. */
  const overlap = async (
    templateId: string,
    orders: [OverlappingOrder, OverlappingOrder],
  ): Promise<{ hasWaited: boolean; leaveAtOnce: boolean[] }> => {
    const clients = [await database.ownerPool.connect(), await database.ownerPool.connect()] as const;
    const write = async (client: PoolClient, { source, destination, cents }: OverlappingOrder) => {
      const { rows } = await client.query<{ atOnce: boolean }>(
        `insert into transfers select (jsonb_populate_record(null::transfers, to_jsonb(t) || $3::jsonb)).* from transfers t
          where t.organization_id = $1 and t.id = $2
         returning due_at <= accepted_at + interval '1 hour' as "atOnce"`,
        [
          organizationId,
          templateId,
          {
            id: newId(clock.now()),
            source_account_id: source,
            destination_account_id: destination,
            amount_in_cents: cents,
            hold_in_cents: 0,
          },
        ],
      );
      return rows[0]?.atOnce ?? false;
    };
    try {
      for (const client of clients) await client.query("begin");
      const first = await write(clients[0], orders[0]);
      let hasEnded = false;
      const second = write(clients[1], orders[1]).finally(() => {
        hasEnded = true;
      });
      // It either ends, or is seen to wait for the first.
      const waits = async () =>
        (
          await database.ownerPool.query(
            "select 1 from pg_stat_activity where pid <> pg_backend_pid() and wait_event_type = 'Lock' and query like 'insert into transfers select (jsonb%'",
          )
        ).rowCount !== 0;
      await waitUntil("the second order ends or waits", async () => hasEnded || (await waits()));
      const hasWaited = !hasEnded;
      await clients[0].query("commit");
      const leaveAtOnce = [first, await second];
      await clients[1].query("commit");
      return { hasWaited, leaveAtOnce };
    } finally {
      for (const client of clients) {
        await client.query("rollback");
        client.release();
      }
    }
  };
  const remove = (payeeId: string) => removePayee(services, here(), payeeId);
  /** An account of the organization's own that was registered a moment ago. */
  const registered = async () => {
    const id = await organization.addAccount({ name: "Savings", type: "EXTERNAL_ACCOUNT" });
    await database.ownerPool.query(
      `insert into registered_accounts (organization_id, account_id, registration_id, holder_name, holder_kind,
          account_kind, routing_number_last4, account_number_last4, begun_by, begun_at, bank_reference, registered_by,
          registered_at, account_key, cools_off_since, cools_off_until)
       values ($1, $2, $2, 'Northwind', 'BUSINESS', 'SAVINGS', '0021', '4471', $3, $4, 'SBX-OUT-1', $3, $4, '\\x01', $4, $5)`,
      [
        organizationId,
        id,
        organization.owner.actor.id,
        clock.now(),
        new Date(clock.now().getTime() + 24 * HOUR_MS),
      ],
    );
    return id;
  };
  return {
    services,
    clock,
    organizationId,
    operating,
    reserve,
    asking,
    payee,
    rename,
    remove,
    pay,
    left,
    look,
    approve,
    overlap,
    registered,
  };
}

interface OverlappingOrder {
  source: string;
  destination: string;
  cents: number;
}

describe("payees with one bank account", () => {
  it("count together: four of them let no more leave than one", async () => {
    const { payee, pay, left, clock } = await arrange();
    for (const name of ["Harbor", "Cedar", "Maple", "Birch"]) await pay(await payee(name), 49_900);
    expect(await left()).toBe(49_900);
    clock.advance(24 * HOUR_MS);
    expect(await left()).toBe(4 * 49_900);
  });

  it("count together when one was removed and added again under another name", async () => {
    const { payee, pay, remove, left } = await arrange();
    const id = await payee("Harbor");
    await pay(id, LIMIT);
    expect(await left()).toBe(LIMIT);
    await remove(id);
    await pay(await payee("Cedar"), 100);
    expect(await left()).toBe(LIMIT);
  });

  it("are one account with and without leading zeros, and another one in another organization", () => {
    const hash = (...parts: readonly string[]) => Buffer.from(parts.join());
    const key = (accountNumber: string, organization = "one") =>
      accountKey(hash, organization, { routingNumber: "101050001", accountNumber }).toString();
    expect(key("000987654321")).toBe(key("987654321"));
    expect(key("0000")).toBe(key("0"));
    expect(key("987654321", "other")).not.toBe(key("987654321"));
    expect(key("9876543210")).not.toBe(key("987654321"));
  });

  it("keep a hash that depends on the product's secret, and no number", async () => {
    const { payee, organizationId } = await arrange();
    await payee("Harbor");
    const { rows } = await database.ownerPool.query<{ given: string; inForce: string }>(
      `select encode(d.account_key, 'hex') as given, encode(p.account_key, 'hex') as "inForce" from payee_details d
         join payees p on p.organization_id = d.organization_id and p.id = d.payee_id where d.organization_id = $1`,
      [organizationId],
    );
    expect(rows[0]?.given).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[0]?.inForce).toBe(rows[0]?.given);
  });
});

describe("a renamed payee", () => {
  it("lets nothing more leave than before", async () => {
    const { payee, rename, pay, left } = await arrange();
    const id = await payee("Harbor");
    await pay(id, LIMIT);
    expect(await left()).toBe(LIMIT);
    await rename(id, "Harbor Print");
    await pay(id, LIMIT);
    expect(await left()).toBe(LIMIT);
  });

  it("does so until its account has cooled off under the last name", async () => {
    const { payee, rename, pay, left, clock } = await arrange();
    const id = await payee("Harbor");
    await pay(id, LIMIT);
    await left();
    clock.advance(23 * HOUR_MS);
    await rename(id, "Harbor Print");
    clock.advance(2 * HOUR_MS);
    await pay(id, 100);
    expect(await left()).toBe(LIMIT);
    clock.advance(22 * HOUR_MS);
    expect(await left()).toBe(LIMIT + 100);
  });

  it("of which only four digits are known counts with its earlier version", async () => {
    const { payee, rename, pay, left, organizationId } = await arrange();
    const id = await payee("Harbor");
    for (const table of ["payees", "payee_details"])
      await database.ownerPool.query(`update ${table} set account_key = null where organization_id = $1`, [
        organizationId,
      ]);
    await pay(id, LIMIT);
    expect(await left()).toBe(LIMIT);
    await rename(id, "Harbor Print");
    await pay(id, 100);
    expect(await left()).toBe(LIMIT);
  });
});

describe("all accounts that cool off", () => {
  it("count together, across payees, and exactly up to the amount", async () => {
    const { payee, pay, left } = await arrange();
    await pay(await payee("Harbor", "11111111"), 20_000);
    await pay(await payee("Cedar", "22222222"), 30_001);
    await pay(await payee("Maple", "33333333"), 30_000);
    await pay(await payee("Birch", "44444444"), 100);
    expect(await left()).toBe(LIMIT);
  });

  it("do not count with those that have cooled off", async () => {
    const { payee, pay, left, clock } = await arrange();
    const known = await payee("Harbor", "11111111");
    await pay(known, LIMIT);
    await left();
    clock.advance(24 * HOUR_MS);
    await pay(known, 2 * LIMIT);
    await pay(await payee("Cedar", "22222222"), LIMIT);
    expect(await left()).toBe(4 * LIMIT);
  });

  it("are predicted together on an approval", async () => {
    const { payee, pay, look, operating, asking } = await arrange();
    await pay(await payee("Harbor", "11111111"), 30_000);
    const cedar = await payee("Cedar", "22222222");
    const waits = async (cents: number) => {
      const [check] = (await look((await pay(cedar, cents, operating, asking)).id)).checks;
      return check?.kind === "PAYEE" ? check.payees[0]?.waits : null;
    };
    expect(await waits(20_000)).toBe(false);
    expect(await waits(20_001)).toBe(true);
  });
});

describe("payments at the same moment", () => {
  // Two transactions that overlap for certain: groups of one process would hide a missing lock.
  it.each([
    ["one new payee", "11111111", true],
    ["two new payees", "22222222", false],
  ])("from two pods to %s let only one leave", async (_, secondAccount, isOne) => {
    const { payee, pay, overlap, operating, reserve } = await arrange();
    const known = await payee("Harbor", "11111111");
    const other = isOne ? known : await payee("Cedar", secondAccount);
    const template = await pay(known, 100);
    const outcome = await overlap(template.id, [
      { source: operating, destination: known, cents: 40_000 },
      { source: reserve, destination: other, cents: 40_000 },
    ]);
    expect(outcome).toEqual({ hasWaited: true, leaveAtOnce: [true, false] });
  });

  it.each([
    ["one newly registered account of its own", true],
    ["a newly registered account and a new payee", false],
  ])("from two pods to %s let only one leave", async (_, isOne) => {
    const { payee, pay, overlap, operating, reserve, registered } = await arrange();
    const known = await payee("Harbor", "11111111");
    const template = await pay(known, 100);
    const own = await registered();
    const outcome = await overlap(template.id, [
      { source: operating, destination: own, cents: 40_000 },
      { source: reserve, destination: isOne ? own : known, cents: 40_000 },
    ]);
    expect(outcome).toEqual({ hasWaited: true, leaveAtOnce: [true, false] });
  });

  it("approved from two pods beside those of a key all end, and let only as much leave", async () => {
    const { payee, pay, left, look, approve, operating, reserve, asking } = await arrange();
    const one = await payee("Harbor", "11111111");
    const other = await payee("Cedar", "22222222");
    const proposed = await Promise.all([
      pay(one, 30_000, operating, asking),
      pay(other, 30_000, reserve, asking),
      pay(other, 30_000, operating, asking),
    ]);
    const seen = await Promise.all(proposed.map(async ({ id }) => ({ id, digest: (await look(id)).digest })));
    await Promise.all([
      ...seen.map(({ id, digest }) => approve(id, digest)),
      pay(one, 30_000, reserve),
      pay(other, 30_000, operating),
    ]);
    expect(await left()).toBe(30_000);
  });
});

interface Paid {
  id: string;
  at: number;
  account: string;
  cents: number;
  /** When the cool-off of its payee ends. */
  until: number;
}

/** The most that had left at one moment to all accounts that cooled off. */
function mostInAll(paid: readonly Paid[]): number {
  const sums = paid.map(({ at }) =>
    paid.filter((one) => one.at <= at && at < one.until).reduce((sum, { cents }) => sum + cents, 0),
  );
  return Math.max(0, ...sums);
}

/** The most to one account in one stretch without a moment in which it had cooled off under every name. */
function mostToOneAccount(
  paid: readonly Paid[],
  confirmed: readonly { at: number; account: string }[],
): number {
  let most = 0;
  for (const account of new Set(confirmed.map((one) => one.account))) {
    const times = confirmed.filter((one) => one.account === account).map(({ at }) => at);
    let begin = 0;
    let end = 0;
    for (const at of times) {
      if (at >= end) begin = at;
      end = at + 24 * HOUR_MS;
      const ofStretch = paid.filter(
        (one) => one.account === account && one.at >= begin && one.at < one.until && one.at < end,
      );
      most = Math.max(
        most,
        ofStretch.reduce((sum, { cents }) => sum + cents, 0),
      );
    }
  }
  return most;
}

it("never lets more leave to accounts that cool off, whatever is added, renamed, removed and paid", async () => {
  const payment = fc.record({
    kind: fc.constant("PAY" as const),
    of: fc.nat(3),
    cents: fc.integer({ min: 100, max: 60_000 }),
  });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("ADD" as const), account: fc.constantFrom("11111111", "22222222") }),
    fc.record({ kind: fc.constant("RENAME" as const), of: fc.nat(3) }),
    fc.record({ kind: fc.constant("REMOVE" as const), of: fc.nat(3) }),
    fc.record({ kind: fc.constant("WAIT" as const), hours: fc.integer({ min: 1, max: 14 }) }),
    payment,
    payment,
    payment,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const { payee, rename, remove, pay, left, clock, organizationId } = await arrange();
      const payees: { id: string; account: string; until: number }[] = [];
      const confirmed: { at: number; account: string }[] = [];
      const paid: Paid[] = [];
      const nowMs = () => clock.now().getTime();
      for (const [index, one] of steps.entries()) {
        const of = "of" in one ? payees[one.of % Math.max(1, payees.length)] : undefined;
        if (one.kind === "ADD") {
          const id = await payee(`Payee ${index}`, one.account);
          payees.push({ id, account: one.account, until: nowMs() + 24 * HOUR_MS });
          confirmed.push({ at: nowMs(), account: one.account });
        } else if (one.kind === "WAIT") {
          clock.advance(one.hours * HOUR_MS);
          await left();
        } else if (of && one.kind === "RENAME") {
          await rename(of.id, `Payee ${index}`);
          of.until = nowMs() + 24 * HOUR_MS;
          confirmed.push({ at: nowMs(), account: of.account });
        } else if (of && one.kind === "REMOVE") {
          await remove(of.id);
          payees.splice(payees.indexOf(of), 1);
        } else if (of && one.kind === "PAY") {
          const { id } = await pay(of.id, one.cents);
          const { rows } = await database.pool.query<{ dueAt: Date }>(
            `select due_at as "dueAt" from transfers where organization_id = $1 and id = $2`,
            [organizationId, id],
          );
          const leavesAtOnce = (rows[0]?.dueAt.getTime() ?? 0) <= nowMs() + BANK_WINDOW_MS;
          if (leavesAtOnce && nowMs() < of.until)
            paid.push({ id, at: nowMs(), account: of.account, cents: one.cents, until: of.until });
        }
      }
      await left();
      const { rows: failed } = await database.pool.query<{ id: string }>(
        "select id from transfers where organization_id = $1 and status = 'FAILED'",
        [organizationId],
      );
      // An order that had not been sent when its payee changed is never sent.
      const sent = paid.filter(({ id }) => failed.every((one) => one.id !== id));
      expect(mostInAll(sent)).toBeLessThanOrEqual(LIMIT);
      expect(mostToOneAccount(sent, confirmed)).toBeLessThanOrEqual(LIMIT);
      expect(await auditBooks(database, organizationId)).toMatchObject({ wrongHolds: [], negative: [] });
    }),
    {
      numRuns: 12,
      examples: [
        // An order is not sent yet when its payee is renamed.
        [
          [
            { kind: "ADD", account: "11111111" },
            { kind: "PAY", of: 0, cents: 20_001 },
            { kind: "WAIT", hours: 1 },
            { kind: "PAY", of: 0, cents: 7_077 },
            { kind: "RENAME", of: 0 },
            { kind: "WAIT", hours: 1 },
            { kind: "PAY", of: 0, cents: 22_923 },
          ],
        ],
      ],
    },
  );
});
