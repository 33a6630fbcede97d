/**
 * Goal: with real money, never more than the cap leaves Sluice within 24 hours, however it is sent, and
 * callers and approvers learn before they exceed it. Method: the adapter for Increase in production against the emulator, every way
 * in which money leaves, races, and a property over many days.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { beginMove, moveMoney } from "@/lib/core/approvals/move-money";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { changeTimeZone } from "@/lib/core/organizations/change-time-zone";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import { requireSameBank } from "@/lib/core/sandbox/require-same-bank";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { readOutgoingRoom, setOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { addPayee } from "@/lib/testing/as-entered";
import { auditBooks } from "@/lib/testing/conservation";
import { openTestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import {
  anythingWithRules,
  askRun,
  makeActive,
  readRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices, TestClock } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewMove } from "@/lib/views/transfers/read-move-page";
import { type IncreaseEmulator, openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const database = useTestDatabase();
let emulator: IncreaseEmulator;
beforeAll(async () => {
  emulator = await openIncreaseEmulator({
    startsAt: new TestClock().now(),
    apiKey: "emulated",
    openingInCents: 100_000_000,
  });
});
afterAll(async () => {
  await emulator.close();
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CAP = 100_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const bank = createIncreaseBank(database.pool, {
    apiKey: "emulated",
    environment: "production",
    baseUrl: emulator.url,
  });
  await requireSameBank(database.pool, bank, clock.now());
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 10_000_000 });
  const operating = await pod("Operating");
  const key = await organization.addKey([
    moveAnything(false),
    ...anythingWithRules(false),
    { type: "READ_ACCOUNTS", accounts: "ALL" },
  ]);
  const asking = await organization.addKey([moveAnything(true), ...anythingWithRules(true)], "asking-key");
  const here = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const proveIt = () =>
    database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
  await proveIt();
  const payee = async (name: string) => {
    const id = await addPayee(services, bank, here(), {
      name,
      kind: "BUSINESS",
      account: {
        holderName: name,
        accountKind: "CHECKING",
        routingNumber: "101050001",
        accountNumber: "987654321",
      },
    });
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2",
      [organizationId, id],
    );
    await confirmPayee(services, here(), { payeeId: id, detailsId: rows[0]?.id ?? "", callBackNote: null });
    return id;
  };
  const printShop = await payee("Harbor Print Shop");
  // Payees that cool off have tests of their own.
  clock.advance(25 * HOUR_MS);
  const context = (caller = key) => ({ ...caller.context, now: clock.now() });
  const pay = (
    amountInCents: number,
    more: { simulation?: boolean; source?: string; by?: typeof key } = {},
  ) =>
    askTransfer(services, (more.by ?? key).context, {
      sourceAccountId: more.source ?? operating,
      destinationAccountId: printShop,
      amountInCents,
      ...(more.simulation && { simulation: true }),
    });
  const outcome = async (id: string) => {
    const { rows } = await database.pool.query<{ status: string; code: string | null; hold: number }>(
      `select status, coalesce(error_code, fails_with) as code, hold_in_cents as hold
         from transfers where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    return rows[0];
  };
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const look = async (id: string) => {
    const view = await getApproval({ services, context: here(), time: time() }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const approve = async (id: string) =>
    decideProposal(services, here(), {
      proposalId: id,
      decision: "APPROVE",
      digest: (await look(id)).digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const codesOf = async (executionId: string) => {
    const { rows } = await database.pool.query<{ code: string | null }>(
      `select error_code as code from transfers where organization_id = $1 and rule_execution_id = $2 order by id`,
      [organizationId, executionId],
    );
    return rows.map(({ code }) => code);
  };
  const sendToBank = () => submitDueTransfers(services, bank, 100);
  const room = () => readOutgoingRoom(database.pool, organizationId, clock.now());
  /** The most that was handed to the bank within any 24 hours. */
  const mostInADay = async () => {
    const { rows } = await database.pool.query<{ most: number | null }>(
      `select max(s.cents) as most from (select sum(t.amount_in_cents) over (order by o.left_at
           range between interval '23:59:59.999' preceding and current row)::bigint as cents
         from outgoing_orders o join transfers t on t.organization_id = o.organization_id and t.id = o.transfer_id
        where o.organization_id = $1) s`,
      [organizationId],
    );
    return rows[0]?.most ?? 0;
  };
  return {
    services,
    clock,
    bank,
    organization,
    organizationId,
    pod,
    operating,
    payee,
    printShop,
    key,
    asking,
    here,
    proveIt,
    context,
    pay,
    outcome,
    time,
    look,
    codesOf,
    approve,
    sendToBank,
    room,
    mostInADay,
  };
}

const rejected = { code: "ABOVE_OUTGOING_CAP", hold: 0 };
const accepted = { status: "PROCESSING", code: null };

describe("what a key requests", () => {
  it("leaves up to exactly the cap, and one cent more fails with its code and holds nothing", async () => {
    const { pay, outcome, room } = await arrange();
    expect(await room()).toEqual({ capInCents: CAP, leftInCents: CAP });
    const whole = await pay(CAP - 100);
    const rest = await pay(100);
    const more = await pay(100);
    expect(await outcome(whole.id)).toMatchObject(accepted);
    expect(await outcome(rest.id)).toMatchObject(accepted);
    expect(await outcome(more.id)).toMatchObject(rejected);
    expect(await room()).toEqual({ capInCents: CAP, leftInCents: 0 });
  });

  it("is foretold by a dry run, with and without approval", async () => {
    const { pay, asking } = await arrange();
    const foreseen = async (cents: number, by?: typeof asking) =>
      (await pay(cents, { simulation: true, ...(by && { by }) })).errorCode;
    expect(await foreseen(CAP)).toBeNull();
    expect(await foreseen(CAP + 1)).toBe("ABOVE_OUTGOING_CAP");
    expect(await foreseen(CAP + 1, asking)).toBe("ABOVE_OUTGOING_CAP");
    await pay(CAP);
    expect(await foreseen(100)).toBe("ABOVE_OUTGOING_CAP");
  });

  it("moves between own accounts and comes in as it likes", async () => {
    const { services, pod, operating, key, outcome, pay } = await arrange();
    const taxes = await pod("Taxes");
    await pay(CAP);
    const moved = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: CAP * 2,
    });
    expect(await outcome(moved.id)).toMatchObject({ status: "COMPLETE", code: null });
  });

  it("waits for what another process sends at the same moment, and counts it", async () => {
    const { services, key, operating, printShop, pod, pay, outcome } = await arrange();
    const other = await pod("Other");
    const body = { sourceAccountId: other, destinationAccountId: printShop, amountInCents: 60_000 };
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        askTransfer({ ...services, pool: joinTransaction(database.pool, client) }, key.context, body),
      () => pay(60_000, { source: operating }),
    );
    expect(hasWaited).toBe(true);
    expect(await outcome(result.id)).toMatchObject(rejected);
  });

  it("counts no order that the bank refused", async () => {
    const { services, clock, bank, pay, room, outcome } = await arrange();
    const { id } = await pay(60_000);
    clock.advance(BANK_WINDOW_MS);
    const refusing = {
      ...bank,
      submit: async () => ({ kind: "REFUSED", code: "R03", message: "No account" }) as const,
    };
    await submitDueTransfers(services, refusing, 100);
    expect(await outcome(id)).toMatchObject({ status: "FAILED" });
    expect(await room()).toEqual({ capInCents: CAP, leftInCents: CAP });
  });

  it("never passes the cap when many leave at once from different pods", async () => {
    const { pod, pay, outcome, room, organizationId } = await arrange();
    const sources = await Promise.all(["A", "B", "C", "D"].map((name) => pod(name)));
    const asked = await Promise.all(
      Array.from({ length: 24 }, (_, index) => pay(15_000, { source: sources[index % 4] ?? "" })),
    );
    const outcomes = await Promise.all(asked.map(({ id }) => outcome(id)));
    expect(outcomes.filter((one) => one?.code === null)).toHaveLength(6);
    expect(outcomes.filter((one) => one?.code === "ABOVE_OUTGOING_CAP")).toHaveLength(18);
    expect(await room()).toEqual({ capInCents: CAP, leftInCents: 10_000 });
    expect(await auditBooks(database, organizationId)).toMatchObject({ wrongHolds: [], negative: [] });
  });
});

describe("what a person approves", () => {
  it("may be exactly what is left, and no cent more", async () => {
    const { pay, asking, look } = await arrange();
    const outcomeOf = async (cents: number) => {
      const { checks } = await look((await pay(cents, { by: asking })).id);
      return checks.find(({ kind }) => kind === "OUTGOING_CAP")?.outcome;
    };
    expect(await outcomeOf(CAP)).toBe("CLEAR");
    expect(await outcomeOf(CAP + 1)).toBe("BLOCKS");
  });

  it("shows the cap before, and fails without moving anything above it", async () => {
    const { pay, asking, look, approve, outcome } = await arrange();
    const [first, second] = [await pay(60_000, { by: asking }), await pay(60_000, { by: asking })];
    const check = async (id: string) => (await look(id)).checks.find(({ kind }) => kind === "OUTGOING_CAP");
    expect(await check(second.id)).toMatchObject({ outcome: "CLEAR", capInCents: CAP, leftInCents: CAP });
    expect(await approve(first.id)).toEqual({ kind: "DECIDED" });
    expect(await check(second.id)).toMatchObject({ outcome: "BLOCKS", leftInCents: 40_000 });
    expect(await approve(second.id)).toEqual({ kind: "DECIDED" });
    expect(await outcome(first.id)).toMatchObject(accepted);
    expect(await outcome(second.id)).toMatchObject(rejected);
  });

  it("passes at most once when two decide at the same moment what fits only once", async () => {
    const { services, pod, pay, asking, look, here, outcome } = await arrange();
    const [left, right] = [await pod("Left"), await pod("Right")];
    const proposed = [
      await pay(60_000, { by: asking, source: left }),
      await pay(60_000, { by: asking, source: right }),
    ];
    const seen = await Promise.all(proposed.map(({ id }) => look(id)));
    await Promise.all(
      proposed.map(({ id }, index) =>
        decideProposal(services, here(), {
          proposalId: id,
          decision: "APPROVE",
          digest: seen[index]?.digest ?? "",
          note: null,
          confirmation: { kind: "NONE" },
        }),
      ),
    );
    const outcomes = await Promise.all(proposed.map(({ id }) => outcome(id)));
    expect(outcomes.filter((one) => one?.status === "PROCESSING" && one.code === null)).toHaveLength(1);
  });

  it("and moves on their own is refused above the cap, in words", async () => {
    const { services, here, operating, printShop, time } = await arrange();
    const draft = {
      draftId: crypto.randomUUID(),
      sourceAccountId: operating,
      destinationAccountId: printShop,
      amountInCents: CAP + 1,
      achLabel: null,
      note: null,
    };
    const preview = await previewMove({ services, context: here(), time: time() }, draft);
    expect(preview.checks).toContainEqual(
      expect.objectContaining({ kind: "OUTGOING_CAP", outcome: "BLOCKS" }),
    );
    const subject = { ...draft, digest: preview.digest };
    await beginMove(services, here(), subject);
    await expect(moveMoney(services, here(), { ...subject, confirmation: { kind: "NONE" } })).rejects.toThrow(
      "exceed what may leave Sluice within 24 hours",
    );
  });
});

describe("what a rule sends", () => {
  const paying = (source: string, target: string, ...amounts: number[]) => ({
    trigger: { type: "MANUAL" as const, accountId: source },
    steps: [
      {
        actions: amounts.map((amountInCents) => ({
          type: "FIXED",
          sourceAccountId: source,
          destinationAccountId: target,
          group: 0,
          amountInCents,
        })),
      },
    ],
  });

  it("stops at the cap, says so, and is foretold by a dry run", async () => {
    const { services, context, operating, printShop, codesOf, mostInADay, room } = await arrange();
    const ruleId = await writeRule(services, context(), paying(operating, printShop, 60_000, 60_000));
    await makeActive(database, ruleId);
    const dryId = await askRun(services, context(), ruleId, { simulation: true });
    expect(await codesOf(dryId)).toEqual([null, "ABOVE_OUTGOING_CAP"]);
    const liveId = await askRun(services, context(), ruleId);
    await runAllRules(services);
    expect(await codesOf(liveId)).toEqual([null, "ABOVE_OUTGOING_CAP"]);
    const live = await readRun(services, context(), ruleId, liveId);
    expect(live.errorMessage).toContain("what may leave Sluice within 24 hours");
    expect(await room()).toMatchObject({ leftInCents: 40_000 });
    expect(await mostInADay()).toBe(0);
  });

  it("counts the runs before it in the same batch", async () => {
    const { services, context, pod, printShop, codesOf, room } = await arrange();
    const runs: string[] = [];
    for (const name of ["A", "B", "C"]) {
      const ruleId = await writeRule(services, context(), paying(await pod(name), printShop, 40_000));
      await makeActive(database, ruleId);
      runs.push(await askRun(services, context(), ruleId));
    }
    await runAllRules(services);
    const codes = (await Promise.all(runs.map(codesOf))).flat();
    expect(codes.toSorted()).toEqual(["ABOVE_OUTGOING_CAP", null, null]);
    expect(await room()).toMatchObject({ leftInCents: 20_000 });
  });

  it("and waits for approval cannot be approved above the cap", async () => {
    const { services, context, operating, printShop, asking, look, approve } = await arrange();
    const ruleId = await writeRule(services, context(), paying(operating, printShop, CAP + 1));
    await makeActive(database, ruleId);
    const id = await askRun(services, context(asking), ruleId);
    const check = (await look(id)).checks.find(({ kind }) => kind === "RUN_MONEY");
    expect(check).toMatchObject({ outcome: "BLOCKS", problem: { code: "ABOVE_OUTGOING_CAP" } });
    expect(await approve(id)).toMatchObject({ kind: "WOULD_FAIL" });
  });
});

describe("24 hours", () => {
  it("begin when a payment leaves: it counts until exactly then", async () => {
    const { clock, pay, outcome, sendToBank, room, mostInADay } = await arrange();
    await pay(CAP);
    clock.advance(BANK_WINDOW_MS);
    await sendToBank();
    expect(await room()).toMatchObject({ leftInCents: 0 });
    clock.advance(DAY_MS - 1);
    expect(await outcome((await pay(100)).id)).toMatchObject(rejected);
    clock.advance(1);
    expect(await outcome((await pay(CAP)).id)).toMatchObject(accepted);
    clock.advance(BANK_WINDOW_MS);
    await sendToBank();
    expect(await mostInADay()).toBe(CAP);
  });

  it("do not start over when a co-owner changes the time zone", async () => {
    const { services, organization, clock, here, pay, outcome, sendToBank, room } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    await pay(CAP);
    clock.advance(BANK_WINDOW_MS);
    await sendToBank();
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Tokyo"]) {
      await database.ownerPool.query("update sessions set authenticated_at = $1", [clock.now()]);
      await changeTimeZone(services, here(jonas), { timeZone });
      expect(await room()).toMatchObject({ leftInCents: 0 });
      expect(await outcome((await pay(100)).id)).toMatchObject(rejected);
    }
  });

  it("counts what waits to leave, so that it never leaves beside another day's", async () => {
    const { clock, pay, outcome, sendToBank, room, mostInADay } = await arrange();
    await pay(CAP);
    clock.advance(DAY_MS);
    expect(await room()).toMatchObject({ leftInCents: 0 });
    expect(await outcome((await pay(100)).id)).toMatchObject(rejected);
    await sendToBank();
    expect(await mostInADay()).toBe(CAP);
    clock.advance(DAY_MS);
    expect(await room()).toMatchObject({ leftInCents: CAP });
  });

  it("never sees more leave than the cap, whatever is asked for, sent and waits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ kind: fc.constant("PAY"), cents: fc.integer({ min: 100, max: 70_000 }) }),
            fc.record({ kind: fc.constant("WAIT"), hours: fc.integer({ min: 1, max: 30 }) }),
            fc.record({ kind: fc.constant("SEND") }),
          ),
          { minLength: 5, maxLength: 25 },
        ),
        async (steps) => {
          const { clock, pay, sendToBank, mostInADay, organizationId } = await arrange();
          for (const step of steps) {
            if ("cents" in step) await pay(step.cents);
            else if ("hours" in step) clock.advance(step.hours * HOUR_MS);
            else {
              clock.advance(BANK_WINDOW_MS);
              await sendToBank();
            }
          }
          expect(await mostInADay()).toBeLessThanOrEqual(CAP);
          expect(await auditBooks(database, organizationId)).toMatchObject({ wrongHolds: [], negative: [] });
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("the cap", () => {
  it("is kept by the database itself, whatever a caller checked", async () => {
    const { operating, printShop, organizationId, pay } = await arrange();
    await pay(CAP);
    const insert = database.ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
          source_account_id, destination_account_id, proposed_by_kind, proposed_by_name, created_at, updated_at,
          accepted_at, next_step, due_at)
        select organization_id, gen_random_uuid(), 'PROCESSING', 'LIVE', 'MONEY_OUT', 'API', 100, $2, $3, 'API_KEY',
          'test', created_at, created_at, accepted_at, 'SUBMIT', due_at
        from transfers where organization_id = $1 and direction = 'MONEY_OUT'`,
      [organizationId, operating, printShop],
    );
    await expect(insert).rejects.toThrow("would exceed the outgoing cap");
  });

  it("is raised or lifted by an owner with proof only, lowered by any who decide, recorded and announced", async () => {
    const { services, clock, here, organization, organizationId, proveIt, pay, outcome } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Noor");
    const viewer = await organization.addMember("VIEWER", "Vic");
    const set = (capInCents: number | null, member?: Context<MemberActor>) =>
      setOutgoingCap(services, here(member), { capInCents });
    await expect(set(50_000, viewer)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await set(50_000, coOwner);
    await expect(set(60_000, coOwner)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(set(null, coOwner)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(set(60_000)).rejects.toMatchObject({ name: "NotConfirmed" });
    await expect(set(null)).rejects.toMatchObject({ name: "NotConfirmed" });
    expect(await outcome((await pay(50_001)).id)).toMatchObject(rejected);
    await proveIt();
    await set(null);
    expect(await outcome((await pay(1_000_000)).id)).toMatchObject(accepted);
    await set(70_000);
    expect(await readRecordedChanges(database, organizationId)).toMatchObject([
      { kind: "OUTGOING_CAP", before: null, after: "70000" },
      { kind: "OUTGOING_CAP", before: "50000", after: null },
      { kind: "OUTGOING_CAP", before: "100000", after: "50000" },
    ]);
    clock.advance(1_000);
    while ((await sendNotices(services, { isSandboxBank: false }, 50)) > 0);
    const { rows } = await database.pool.query(
      `select distinct u.name, m.channel from messages m join users u on u.id = m.user_id
        where m.organization_id = $1 and m.kind = 'OUTGOING_CAP_CHANGED' and m.channel = 'EMAIL' order by 1`,
      [organizationId],
    );
    expect(rows.map(({ name }) => name)).toEqual(["Mara", "Noor"]);
  });

  it("does not exist without real money", async () => {
    const other = await openTestDatabase();
    const { services, clock } = createTestServices(other);
    const { organizationId } = await createTestOrganization(other, services);
    expect(await readOutgoingRoom(other.pool, organizationId, clock.now())).toBeNull();
    await requireSameBank(other.pool, { name: "Increase", isSandbox: true }, clock.now());
    expect(await readOutgoingRoom(other.pool, organizationId, clock.now())).toBeNull();
  });
});
