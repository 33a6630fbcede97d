import { describe, expect, it } from "vitest";
import type { Decision } from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { readClosedGates } from "@/lib/core/keys/gates";
import { beginOpening, closeGates, openGates } from "@/lib/core/keys/switch-gates";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { hashPassword } from "@/lib/core/sign-in/password";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, askUnbooked, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { proofSize } from "@/lib/testing/proof-size";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listSkippedTimes } from "@/lib/views/rules/read-rule-page";

/**
 * Goal: once «Close all gates» has returned, nothing of the organization moves until the gates open, whatever was in
 * progress; and nothing is lost. Method: real connections and real races.
 */

const database = useTestDatabase();

const DAY_MS = 86_400_000;
const PASSWORD = "tide and lock gate";
let passwordHash: string | null = null;
async function setPassword(userId: string): Promise<void> {
  passwordHash ??= await hashPassword(PASSWORD);
  await database.ownerPool.query("update users set password_hash = $2 where id = $1", [userId, passwordHash]);
}

const START_IN_CENTS = 1_000_000;

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: START_IN_CENTS,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 50_000,
  });
  const keyOf = (required: boolean) =>
    organization.addKey([moveAnything(required), ...anythingWithRules(required)]);
  const now = <A extends { now: Date }>(context: A) => ({ ...context, now: clock.now() });
  const ask = (key: Awaited<ReturnType<typeof keyOf>>, amountInCents = 1_000, to = taxes) =>
    askUnbooked(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: to,
      amountInCents,
    });
  const close = (by = owner) => closeGates(services, now(by));
  const open = async (by: Context<MemberActor> = owner) => {
    const closed = await readClosedGates(database.pool, organizationId);
    await setPassword(by.actor.id);
    return openGates(services, now(by), {
      closingId: closed?.id ?? "",
      confirmation: { kind: "PASSWORD", password: PASSWORD },
    });
  };
  /** The owner, freshly signed in. */
  const signedInNow = async () => {
    await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
      owner.actor.sessionId,
      clock.now(),
    ]);
    return { ...owner, actor: { ...owner.actor, authenticatedAt: clock.now() } };
  };
  const decide = async (proposalId: string, decision: Decision) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await getApproval({ services, context: now(owner), time }, proposalId);
    return decideProposal(services, now(owner), {
      ...{ proposalId, decision, note: null, digest: view?.digest ?? "" },
      confirmation: { kind: "NONE" },
    });
  };
  const transfer = async (id: string) => {
    const { rows } = await database.pool.query(
      `select status, next_step as "nextStep", hold_in_cents::int as hold from transfers
        where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    return rows[0];
  };
  const count = async (table: "entries" | "transfers" | "rule_executions" | "proposals") => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where organization_id = $1`,
      [organizationId],
    );
    return rows[0]?.count ?? 0;
  };
  const balance = async (id: string) => {
    const { rows } = await database.pool.query<{ balance: number }>(
      "select (credits_in_cents - debits_in_cents)::int as balance from ledgers where organization_id = $1 and id = $2",
      [organizationId, id],
    );
    return rows[0]?.balance;
  };
  const expectCleanBooks = async () =>
    expect(await auditBooks(database, organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
      negative: [],
    });
  return {
    ...{
      services,
      clock,
      woken,
      organization,
      organizationId,
      owner,
      operating,
      taxes,
      checking,
      keyOf,
      now,
      ask,
    },
    ...{ close, open, signedInNow, decide, transfer, count, balance, expectCleanBooks },
  };
}

const refusalOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? { code: error.code, message: error.message } : error;
};

const REFUSED = {
  code: "ACCESS_DENIED",
  message: expect.stringMatching(/All gates .* are closed.*Nothing moved/),
};

describe("while all gates are closed", () => {
  it("a program that would move money is refused with the reason, approval or not, and leaves nothing behind", async () => {
    const { keyOf, ask, close, count } = await arrange();
    const [free, asking] = [await keyOf(false), await keyOf(true)];
    await close();
    expect(await refusalOf(ask(free))).toEqual(REFUSED);
    expect(await refusalOf(ask(asking))).toEqual(REFUSED);
    expect(await count("proposals")).toBe(0);
    // The deposit made in the setup.
    expect(await count("transfers")).toBe(1);
  });

  it("a dry run still works, and a refused request's idempotency key can be reused after opening", async () => {
    const { services, keyOf, ask, close, open, operating, taxes, transfer } = await arrange();
    const key = await keyOf(false);
    await close();
    const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 1_000 };
    const dry = await askUnbooked(services, key.context, { ...body, simulation: true });
    expect(dry).toMatchObject({ executionMode: "SIMULATION", status: "COMPLETE" });
    expect(await refusalOf(ask(key))).toEqual(REFUSED);
    await open();
    const made = await ask(key);
    expect(await transfer(made.id)).toMatchObject({ status: "PROCESSING" });
  });

  it("accepted transfers wait with their hold, can be canceled, and continue when the gates open", async () => {
    const {
      services,
      keyOf,
      ask,
      close,
      open,
      owner,
      now,
      checking,
      transfer,
      balance,
      taxes,
      expectCleanBooks,
      clock,
    } = await arrange();
    const key = await keyOf(false);
    const bank = createSandboxBank(database.pool);
    const [between, out, cancelled] = [
      await ask(key),
      await ask(key, 2_000, checking),
      await ask(key, 3_000),
    ];
    await close();
    clock.advance(BANK_WINDOW_MS);
    await bookDueTransfers(services, 20);
    await submitDueTransfers(services, bank, 20);
    expect(await transfer(between.id)).toEqual({ status: "PROCESSING", nextStep: "BOOK", hold: 1_000 });
    expect(await transfer(out.id)).toEqual({ status: "PROCESSING", nextStep: "SUBMIT", hold: 2_000 });
    expect(await balance(taxes)).toBe(0);
    await cancelTransfer(services, now(owner), cancelled.id);
    expect(await transfer(cancelled.id)).toMatchObject({ status: "CANCELLED", hold: 0 });
    expect(await open()).toEqual({ kind: "OPENED" });
    await bookDueTransfers(services, 20);
    await submitDueTransfers(services, bank, 20);
    expect(await transfer(between.id)).toMatchObject({ status: "COMPLETE", hold: 0 });
    expect(await transfer(out.id)).toMatchObject({ nextStep: "AWAIT" });
    expect(await balance(taxes)).toBe(1_000);
    await expectCleanBooks();
  });

  it("transfers that the bank may already have are still polled", async () => {
    const { services, keyOf, ask, close, checking, transfer, clock } = await arrange();
    const key = await keyOf(false);
    const bank = createSandboxBank(database.pool);
    const dead = { ...bank, submit: () => Promise.reject(new Error("the line broke")) };
    const out = await ask(key, 2_000, checking);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, dead, 20).catch(() => undefined);
    expect(await transfer(out.id)).toMatchObject({ nextStep: "ASK" });
    await close();
    clock.advance(DAY_MS);
    await submitDueTransfers(services, bank, 20);
    expect(await transfer(out.id)).not.toMatchObject({ nextStep: "ASK" });
  });

  it("approving has no effect, denying works", async () => {
    const { keyOf, ask, close, decide, transfer, balance, taxes } = await arrange();
    const key = await keyOf(true);
    const [first, second] = [await ask(key), await ask(key, 2_000)];
    await close();
    expect(await decide(first.id, "APPROVE")).toMatchObject({
      kind: "REFUSED",
      message: /gates are closed/,
    });
    expect(await transfer(first.id)).toMatchObject({ status: "APPROVAL_PENDING" });
    expect(await decide(second.id, "DENY")).toEqual({ kind: "DECIDED" });
    expect(await balance(taxes)).toBe(0);
  });

  it("a purchase by card is declined", async () => {
    const { services, organization, operating, close, open } = await arrange();
    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating });
    await close();
    expect(await cards.ask(cardId, 1_000, "first")).toBe("GATES_CLOSED");
    await open();
    expect(await cards.ask(cardId, 1_000, "second")).toBeNull();
  });

  it("another organization is unaffected", async () => {
    const [closed, other] = [await arrange(), await arrange()];
    await closed.close();
    const made = await other.ask(await other.keyOf(false));
    await bookDueTransfers(other.services, 200);
    expect(await other.transfer(made.id)).toMatchObject({ status: "COMPLETE" });
    expect(await readClosedGates(database.pool, other.organizationId)).toBeNull();
  });
});

describe("rules", () => {
  const split = (from: string, to: string) => [
    {
      actions: [
        { type: "FIXED", sourceAccountId: from, destinationAccountId: to, group: 0, amountInCents: 5_000 },
      ],
    },
  ];

  it("arriving money triggers nothing, which is recorded, announced when closing and never caught up", async () => {
    const { services, keyOf, organization, operating, taxes, close, open, balance } = await arrange();
    const key = await keyOf(false);
    const trigger = {
      type: "ON_FUNDS_TRANSFERRED" as const,
      accountId: operating,
      minimumAmountInCents: null,
    };
    const ruleId = await writeRule(services, key.context, { trigger, steps: split(operating, taxes) });
    await makeActive(database, ruleId);
    await close();
    await organization.deposit(operating, 20_000);
    await runAllRules(services);
    await open();
    await runAllRules(services);
    const { rows } = await database.pool.query(
      "select status, error_message as message from rule_executions where organization_id = $1 and rule_id = $2",
      [organization.organizationId, ruleId],
    );
    expect(rows).toEqual([{ status: "FAILED", message: expect.stringContaining("will not be repeated") }]);
    expect(await balance(taxes)).toBe(0);
    const { rows: notices } = await database.pool.query(
      "select kind from notices where organization_id = $1 order by id",
      [organization.organizationId],
    );
    expect(notices.map(({ kind }) => kind)).not.toContain("RULE_RUN_FAILED");
    await organization.deposit(operating, 20_000);
    await runAllRules(services);
    expect(await balance(taxes)).toBe(5_000);
  });

  it("arriving money starts no run that could run once the gates are open", async () => {
    const { services, keyOf, organization, operating, taxes, close, open, balance } = await arrange();
    const key = await keyOf(false);
    const trigger = {
      type: "ON_FUNDS_TRANSFERRED" as const,
      accountId: operating,
      minimumAmountInCents: null,
    };
    const ruleId = await writeRule(services, key.context, { trigger, steps: split(operating, taxes) });
    await makeActive(database, ruleId);
    await close();
    await organization.deposit(operating, 20_000);
    // No worker looked in between.
    await open();
    await runAllRules(services);
    expect(await balance(taxes)).toBe(0);
  });

  it("a run that had started ends without moving anything, and one that a key requests is refused", async () => {
    const { services, keyOf, operating, taxes, close, balance } = await arrange();
    const key = await keyOf(false);
    const trigger = { type: "MANUAL" as const, accountId: operating };
    const ruleId = await writeRule(services, key.context, { trigger, steps: split(operating, taxes) });
    await makeActive(database, ruleId);
    await askRun(services, key.context, ruleId);
    await close();
    await runAllRules(services);
    const { rows } = await database.pool.query(
      "select status, error_message as message from rule_executions where rule_id = $1",
      [ruleId],
    );
    expect(rows).toEqual([{ status: "FAILED", message: expect.stringContaining("All gates were closed") }]);
    expect(await balance(taxes)).toBe(0);
    expect(await refusalOf(askRun(services, key.context, ruleId))).toEqual(REFUSED);
  });

  it("missed scheduled runs are recorded as skipped, and not caught up even if the gates open before the worker looks", async () => {
    const { services, clock, keyOf, organizationId, operating, taxes, close, open, signedInNow, count } =
      await arrange();
    const key = await keyOf(false);
    const schedule = {
      frequency: "DAILY" as const,
      startAt: "2026-01-01T00:00:00Z",
      time: "09:00",
      timeZone: "America/New_York",
    };
    const trigger = { type: "SCHEDULED" as const, accountId: operating, schedule };
    // The schema adds the omitted fields of a schedule.
    const ruleId = await writeRule(
      services,
      key.context,
      JSON.parse(JSON.stringify({ trigger, steps: split(operating, taxes) })),
    );
    await makeActive(database, ruleId, new Date("2026-01-16T14:00:00Z"));
    await database.ownerPool.query("update rules set activated_at = $2 where id = $1", [ruleId, clock.now()]);
    await close();
    clock.set(new Date("2026-01-16T15:00:00Z"));
    await fireSchedules(services, 100);
    clock.set(new Date("2026-01-17T15:00:00Z"));
    expect(await open(await signedInNow())).toEqual({ kind: "OPENED" });
    await fireSchedules(services, 100);
    const skipped = await listSkippedTimes(database.pool, { organizationId, ruleId }, 10);
    expect(skipped.map(({ reason }) => reason)).toEqual(["GATES_CLOSED", "GATES_CLOSED"]);
    expect(await count("rule_executions")).toBe(0);
    clock.set(new Date("2026-01-18T15:00:00Z"));
    await fireSchedules(services, 100);
    expect(await count("rule_executions")).toBe(1);
  });
});

describe("who closes and opens", () => {
  it.each(["ACCOUNTANT", "VIEWER"] as const)("a member who is %s can do neither", async (role) => {
    const { organization, close, open, organizationId, owner } = await arrange();
    const reader = await organization.addMember(role, "Rita");
    expect(await refusalOf(close(reader))).toMatchObject({ code: "ACCESS_DENIED" });
    expect(await readClosedGates(database.pool, organizationId)).toBeNull();
    await close(owner);
    expect(await open(reader)).toMatchObject({ kind: "REFUSED" });
    expect(await readClosedGates(database.pool, organizationId)).not.toBeNull();
  });

  it("closing needs no step-up, opening does, and a closing is opened only once", async () => {
    const { close, open, signedInNow, clock, services, now, organizationId } = await arrange();
    clock.advance(10 * 60_000);
    await close();
    await close();
    const { rows } = await database.pool.query("select id from gate_closings where organization_id = $1", [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
    // A sign-in this recent alone opens nothing, and is not offered.
    const fresh = await signedInNow();
    await setPassword(fresh.actor.id);
    const closingId = rows[0].id;
    expect(await beginOpening(services, fresh.actor, closingId)).toEqual({
      kind: "PASSWORD",
      withCode: false,
    });
    for (const confirmation of [{ kind: "NONE" }, { kind: "PASSWORD", password: "not theirs" }] as const) {
      expect(await openGates(services, now(fresh), { closingId, confirmation })).toMatchObject({
        kind: "NOT_CONFIRMED",
      });
    }
    expect(await readClosedGates(database.pool, organizationId)).not.toBeNull();
    expect(await open(fresh)).toEqual({ kind: "OPENED" });
    const again = { closingId, confirmation: { kind: "PASSWORD" as const, password: PASSWORD } };
    await close();
    expect(await openGates(services, now(fresh), again)).toMatchObject({ kind: "REFUSED" });
    expect(await readClosedGates(database.pool, organizationId)).not.toBeNull();
  });
});

it("closing waits for what found the gates open, and counts for what comes after it", async () => {
  const { services, organizationId, keyOf, close, count, operating, taxes } = await arrange();
  const key = await keyOf(false);
  const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 1_000 };
  const closing = await overlap(
    database,
    (client) => askTransfer({ ...services, pool: joinTransaction(database.pool, client) }, key.context, body),
    async () => {
      await close();
      return { transfers: await count("transfers") };
    },
  );
  // The deposit, and what was being moved.
  expect(closing).toEqual({ hasWaited: true, result: { transfers: 2 } });
  expect(await refusalOf(askTransfer(services, key.context, body))).toEqual(REFUSED);
  expect(await readClosedGates(database.pool, organizationId)).not.toBeNull();
});

it("while a closing waits, the gates already count as closed, and nobody waits for it", async () => {
  const { services, organizationId, keyOf, owner, clock, operating, taxes } = await arrange();
  const key = await keyOf(false);
  const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 1_000 };
  const { hasWaited, result } = await overlap(
    database,
    (client) =>
      client.query("select close_gates($1, $2, $3, $4, $5)", [
        organizationId,
        newId(clock.now()),
        newId(clock.now()),
        owner.actor.id,
        clock.now(),
      ]),
    () => refusalOf(askTransfer(services, key.context, body)),
  );
  expect({ hasWaited, result }).toEqual({ hasWaited: false, result: REFUSED });
});

it("nothing moves after closing has returned, whatever was in progress at that moment", async () => {
  const { services, keyOf, ask, close, count, balance, operating, taxes, expectCleanBooks } = await arrange();
  const key = await keyOf(false);
  const rounds = proofSize(3, 20);
  for (let round = 0; round < rounds; round++) {
    const scene = round === 0 ? null : await arrange();
    const at = scene ?? { services, ask, close, count, balance, operating, taxes, expectCleanBooks };
    const requester = scene ? await scene.keyOf(false) : key;
    const asking = Array.from({ length: 40 }, () => at.ask(requester, 100).catch((error: unknown) => error));
    const booking = Array.from({ length: 8 }, () => bookDueTransfers(at.services, 16));
    await at.close();
    const then = { entries: await at.count("entries"), transfers: await at.count("transfers") };
    const answers = await Promise.all(asking);
    await Promise.all(booking);
    await bookDueTransfers(at.services, 200);
    expect({ entries: await at.count("entries"), transfers: await at.count("transfers") }).toEqual(then);
    const accepted = answers.filter((answer) => !(answer instanceof Error)).length;
    // Plus the deposit.
    expect(then.transfers).toBe(accepted + 1);
    expect(await at.balance(at.taxes)).toBe((then.entries - 1) * 100);
    await at.expectCleanBooks();
  }
});
