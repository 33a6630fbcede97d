/**
 * Goal: an order that another program sent from Sluice's account, under a key that could be one of Sluice's, is named after
 * a bounded time and then a difference like other money that Sluice did not order. Method: the sandbox bank, beside which a
 * foreign order is reported and listed.
 */
import { v7 as uuidv7 } from "uuid";
import { expect, it } from "vitest";
import { bookLine } from "@/lib/core/reconciliation/resolve-difference";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { createLog } from "@/lib/platform/log";
import type { BankNotice, BankPort } from "@/lib/ports/bank/bank-port";
import { acknowledgeNotices, keepNotices, listNotices, listOrganizations } from "@/lib/ports/bank/inbox";
import { setNoticeAside } from "@/lib/ports/bank/unapplied";
import { useTestDatabase } from "@/lib/testing/database";
import { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";
import { readDifference } from "@/lib/views/reconciliation/read-difference";

const database = useTestDatabase();

const FOREIGN_IN_CENTS = 1_000;
const MINUTE_MS = 60_000;

/** A bank whose notices come through the inbox of the real adapters, and the messages that are logged. */
async function arrange() {
  const scene = await createReconciliationScene(database);
  const { organizationId, clock, bank: sandbox } = scene;
  await scene.deposit(100_000);
  const { pool } = database;
  const transferId = uuidv7();
  const bookedAt = clock.now();
  const bank: BankPort = {
    ...sandbox,
    notices: (input) => listNotices(pool, input),
    organizationsWithNotices: (input) => listOrganizations(pool, input),
    setAside: (input) => setNoticeAside(pool, input),
    acknowledge: (input) => acknowledgeNotices(pool, input),
    statement: async (input) => {
      const page = await sandbox.statement(input);
      const line = { lineReference: "foreign", bookedAt, amountInCents: -FOREIGN_IN_CENTS };
      const cause = {
        kind: "ORDER",
        transferId,
        depositReference: null,
        rail: "ACH",
        description: "",
      } as const;
      return { ...page, lines: [...page.lines, { ...line, ...cause }] };
    },
    balance: async (input) => {
      const balance = await sandbox.balance(input);
      return { ...balance, currentInCents: balance.currentInCents - FOREIGN_IN_CENTS };
    },
  };
  const messages: string[] = [];
  const log = createLog("silent");
  log.warn = (_about: unknown, message?: string) => void messages.push(message ?? "");
  const services = { ...scene.services, log };
  const report = async (...notices: BankNotice[]) => {
    await keepNotices(pool, { feed: "test", events: [] }, notices);
  };
  const common = { organizationId, transferId, occurredAt: clock.now() };
  const rest = { rail: "ACH", feeInCents: 0, finalAt: null, availableAt: null } as const;
  const settled: BankNotice = {
    ...common,
    kind: "SETTLED",
    noticeReference: "order:settled",
    code: null,
    ...rest,
  };
  const returned: BankNotice = {
    ...common,
    kind: "RETURNED",
    noticeReference: "order:returned",
    code: "R01",
  };
  const collectFor = async (minutes: number) => {
    for (let tick = 0; tick < minutes * 6; tick += 1) {
      await collectBankNotices(services, bank, 50);
      clock.advance(MINUTE_MS / 6);
    }
  };
  const countWaiting = async () => {
    const { rowCount } = await pool.query(
      "select from bank_inbox where organization_id = $1 and acknowledged_at is null",
      [organizationId],
    );
    return rowCount;
  };
  return { ...scene, bank, messages, report, settled, returned, collectFor, countWaiting };
}

const FOREIGN = "the bank reports an order that Sluice did not send; reconciliation shows it as a difference";

it("is tried for some minutes, then named, and never makes the bank's news late for ever", async () => {
  const { organizationId, clock, messages, report, settled, returned, collectFor, countWaiting } =
    await arrange();
  await report(settled, returned);
  await collectFor(5);
  expect(await countWaiting()).toBe(2);
  expect(messages).not.toContain(FOREIGN);
  await collectFor(30);
  expect(await countWaiting()).toBe(0);
  expect(messages.filter((message) => message === FOREIGN)).toHaveLength(2);
  expect(await readNewsLateSince(database.pool, organizationId, clock.now())).toBeNull();
});

it("is a difference that says so and that a member books, after which bank and books agree", async () => {
  const scene = await arrange();
  const { bank, services, organization, clock, ports } = scene;
  await scene.report(scene.settled);
  await scene.collectFor(15);
  await scene.reconcile({ ...ports, bank });
  await scene.passDays(2);
  await scene.reconcile({ ...ports, bank });
  const [difference] = await scene.differences();
  expect(difference).toMatchObject({ kind: "MISSING_HERE", state: "OPEN", bankInCents: -FOREIGN_IN_CENTS });
  await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
    organization.owner.actor.sessionId,
    clock.now(),
  ]);
  const context = { ...organization.owner, now: clock.now() };
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const view = await readDifference({ services, context, time }, difference?.id ?? "");
  expect(view?.line?.isForeign).toBe(true);
  expect(view?.accounts?.map(({ id }) => id)).toContain(scene.pod);
  await bookLine(services, context, { differenceId: difference?.id ?? "", accountId: scene.pod });
  await scene.reconcile({ ...ports, bank });
  expect(await scene.last()).toEqual({ bank: 99_000, books: 99_000, expected: 0, open: 0, unexplained: 0 });
});

it("is not what an order of Sluice's own is, whatever its news says", async () => {
  const { organizationId, clock, order, report, collectFor, countWaiting, messages } = await arrange();
  const transferId = await order("OUT", 5_000);
  const occurredAt = clock.now();
  // It has not settled.
  await report({
    kind: "RELEASED",
    organizationId,
    transferId,
    noticeReference: "order:released",
    occurredAt,
  });
  await collectFor(30);
  expect(await countWaiting()).toBe(1);
  expect(messages).not.toContain(FOREIGN);
});
