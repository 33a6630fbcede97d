import { describe, expect, it } from "vitest";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import {
  acceptDate,
  askReconciliation,
  bookLine,
  matchDifferences,
  noteBankAsked,
} from "@/lib/core/reconciliation/resolve-difference";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";
import { waitUntil } from "@/lib/testing/wait-until";
import { readDifference } from "@/lib/views/reconciliation/read-difference";
import { readReconciliation } from "@/lib/views/reconciliation/read-reconciliation";

const database = useTestDatabase();

/** An organization with $1,000.00, and lines that the bank booked on its own. */
async function arrange(...own: readonly ["FEE" | "INTEREST" | "OTHER", number][]) {
  const scene = await createReconciliationScene(database);
  const { organizationId, clock, driver, organization } = scene;
  await scene.deposit(100_000);
  for (const [kind, amountInCents] of own) {
    const line = { organizationId, kind, amountInCents, description: "Statement fee" };
    await driver.bookOwnLine({ ...line, businessNow: clock.now() });
  }
  await scene.reconcile();
  /** The owner, who has just confirmed that it is them. */
  const owner = async () => {
    await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
      organization.owner.actor.sessionId,
      clock.now(),
    ]);
    return { ...organization.owner, now: clock.now() };
  };
  const openIds = async () =>
    (await scene.differences()).filter(({ state }) => state === "OPEN").map(({ id }) => id);
  const balance = async () => {
    const { rows } = await database.pool.query<{ balance: number }>(
      "select credits_in_cents - debits_in_cents as balance from ledgers where organization_id = $1 and id = $2",
      [organizationId, scene.pod],
    );
    return rows[0]?.balance;
  };
  const history = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await readDifference({ services: scene.services, context: await owner(), time }, id);
    return view?.events.map(({ kind, byName, note }) => [kind, byName, note]);
  };
  return { ...scene, owner, openIds, balance, history };
}

it("waits for a page of the reconciliation, which would otherwise record a resolved difference again", async () => {
  const scene = await arrange(["OTHER", -400], ["OTHER", 400]);
  const [differenceId = "", otherId = ""] = await scene.openIds();
  const context = await scene.owner();
  const page = await database.pool.connect();
  let isResolved = false;
  try {
    await page.query("begin");
    await page.query("update reconciliations set leased_until = leased_until where organization_id = $1", [
      scene.organizationId,
    ]);
    const resolving = matchDifferences(scene.services, context, {
      differenceId,
      otherId,
      note: "Corrected",
    }).then(() => {
      isResolved = true;
    });
    await waitUntil("it waits", async () => {
      const { rowCount } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1 || isResolved;
    });
    expect(isResolved).toBe(false);
    await page.query("commit");
    await resolving;
  } finally {
    await page.query("rollback");
    page.release();
  }
  expect(await scene.openIds()).toEqual([]);
});

describe("a fee", () => {
  it("is booked from the chosen pod, and bank and books agree again", async () => {
    const scene = await arrange(["FEE", -400]);
    const [id = ""] = await scene.openIds();
    const booking = { differenceId: id, accountId: scene.pod };
    await bookLine(scene.services, await scene.owner(), booking);
    expect(await scene.balance()).toBe(99_600);
    expect(await scene.differences()).toMatchObject([{ state: "RESOLVED", resolution: "BOOKED" }]);
    expect(await scene.history(id)).toEqual([
      ["BOOKED", "Mara", null],
      ["OPENED", null, null],
      ["FOUND", null, null],
    ]);
    const { rows } = await database.pool.query(
      `select direction, status, counterparty_name as name, proposed_by_kind as by from transfers
        where organization_id = $1 and direction = 'MONEY_OUT'`,
      [scene.organizationId],
    );
    expect(rows).toEqual([
      { direction: "MONEY_OUT", status: "COMPLETE", name: "Bank fee: Statement fee", by: "MEMBER" },
    ]);
    expect(await auditBooks(database, scene.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
    });
    await scene.reconcile();
    expect(await scene.last()).toEqual({ bank: 99_600, books: 99_600, expected: 0, open: 0, unexplained: 0 });
  });

  it("is booked once, however often and at once it is asked", async () => {
    const scene = await arrange(["FEE", -400]);
    const [id = ""] = await scene.openIds();
    const owner = await scene.owner();
    const booking = { differenceId: id, accountId: scene.pod };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => bookLine(scene.services, owner, booking)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await scene.balance()).toBe(99_600);
  });

  it("of exactly the balance is booked", async () => {
    const scene = await arrange(["FEE", -100_000]);
    const [id = ""] = await scene.openIds();
    await bookLine(scene.services, await scene.owner(), { differenceId: id, accountId: scene.pod });
    expect(await scene.balance()).toBe(0);
  });

  it("needs an owner who has just confirmed that it is them, and an account that can bear it", async () => {
    const scene = await arrange(["FEE", -100_001]);
    const [id = ""] = await scene.openIds();
    const booking = { differenceId: id, accountId: scene.pod };
    const accountant = await scene.organization.addMember("ACCOUNTANT", "Tess");
    await expect(bookLine(scene.services, accountant, booking)).rejects.toThrow(/owner or co-owner/);
    const owner = await scene.owner();
    await expect(bookLine(scene.services, owner, booking)).rejects.toThrow(/too little money/);
    const nowhere = { ...booking, accountId: scene.organizationId };
    await expect(bookLine(scene.services, owner, nowhere)).rejects.toThrow(/open pods or income sources/);
    scene.clock.advance(10 * 60_000);
    await expect(bookLine(scene.services, { ...owner, now: scene.clock.now() }, booking)).rejects.toThrow(
      /Confirm that it is you/,
    );
    expect(await scene.balance()).toBe(100_000);
    expect(await scene.openIds()).toEqual([id]);
  });
});

it("only differences that are open are announced", async () => {
  const scene = await arrange(["FEE", -400], ["OTHER", -500]);
  const announced = async () => {
    for (let round = 0; round < 3; round += 1) await sendNotices(scene.services, { isSandboxBank: true }, 50);
    const { rows } = await database.ownerPool.query<{ body: string }>(
      "select body_text as body from messages where organization_id = $1 and kind = 'BANK_DIFFERENCE'",
      [scene.organizationId],
    );
    return rows.map(({ body }) => body).join();
  };
  const { rows } = await database.ownerPool.query<{ id: string }>(
    "select id from bank_differences where organization_id = $1 and bank_in_cents = -400",
    [scene.organizationId],
  );
  await bookLine(scene.services, await scene.owner(), {
    differenceId: rows[0]?.id ?? "",
    accountId: scene.pod,
  });
  const text = await announced();
  expect(text).toContain("$5.00");
  expect(text).not.toContain("$4.00");
});

it("interest is booked into the chosen pod like a deposit", async () => {
  const scene = await arrange(["INTEREST", 123]);
  const [id = ""] = await scene.openIds();
  await bookLine(scene.services, await scene.owner(), { differenceId: id, accountId: scene.pod });
  expect(await scene.balance()).toBe(100_123);
  await scene.reconcile();
  expect(await scene.last()).toMatchObject({ bank: 100_123, books: 100_123, open: 0, unexplained: 0 });
});

describe("differences that cancel each other out", () => {
  it("are matched by hand, and both keep their history", async () => {
    const scene = await arrange(["OTHER", -700], ["OTHER", 700]);
    const [first = "", second = ""] = await scene.openIds();
    const owner = await scene.owner();
    const input = { differenceId: first, otherId: second, note: "The bank corrected itself" };
    await matchDifferences(scene.services, owner, input);
    expect(await scene.openIds()).toEqual([]);
    for (const id of [first, second]) {
      expect((await scene.history(id))?.[0]).toEqual([
        "MATCHED_BY_HAND",
        "Mara",
        "The bank corrected itself",
      ]);
    }
    await expect(matchDifferences(scene.services, owner, input)).rejects.toThrow(/no longer open/);
    await scene.reconcile();
    expect(await scene.last()).toMatchObject({ bank: 100_000, books: 100_000, open: 0, unexplained: 0 });
  });

  it("are refused where a cent would remain", async () => {
    const scene = await arrange(["OTHER", -700], ["OTHER", 699]);
    const [first = "", second = ""] = await scene.openIds();
    await expect(
      matchDifferences(scene.services, await scene.owner(), {
        differenceId: first,
        otherId: second,
        note: null,
      }),
    ).rejects.toThrow(/do not cancel each other out/);
    expect(await scene.openIds()).toEqual([first, second]);
  });
});

it("a question to the bank is noted, and the difference stays open", async () => {
  const scene = await arrange(["OTHER", -700]);
  const [id = ""] = await scene.openIds();
  await noteBankAsked(scene.services, await scene.owner(), { differenceId: id, note: "Called Ana" });
  expect(await scene.openIds()).toEqual([id]);
  expect((await scene.history(id))?.[0]).toEqual(["ASKED_BANK", "Mara", "Called Ana"]);
});

it("a date is accepted only where nothing else differs", async () => {
  const scene = await arrange(["OTHER", -700]);
  const { organizationId, driver } = scene;
  const depositReference = await scene.deposit(5_000_00);
  const until = new Date("2026-01-27T14:00:00Z");
  await driver.misreport({ organizationId, of: { depositReference }, fault: { kind: "DELAYED", until } });
  await scene.passDays(14);
  await scene.reconcile();
  const differences = await scene.differences();
  const late = differences.find(({ kind }) => kind === "DIFFERENT_DATE")?.id ?? "";
  const other = differences.find(({ kind }) => kind === "MISSING_HERE")?.id ?? "";
  const owner = await scene.owner();
  const note = "Their cut-off moved";
  await expect(acceptDate(scene.services, owner, { differenceId: other, note })).rejects.toThrow(
    /More than the date/,
  );
  await acceptDate(scene.services, owner, { differenceId: late, note });
  expect(await scene.openIds()).toEqual([other]);
});

it("nothing of another organization can be resolved or seen", async () => {
  const [ours, theirs] = [await arrange(["FEE", -400]), await arrange(["FEE", -400])];
  const [id = ""] = await theirs.openIds();
  const owner = await ours.owner();
  const time = { nowAt: ours.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  await expect(bookLine(ours.services, owner, { differenceId: id, accountId: ours.pod })).rejects.toThrow(
    /no longer open/,
  );
  await expect(noteBankAsked(ours.services, owner, { differenceId: id, note: "?" })).rejects.toThrow(
    /no longer open/,
  );
  expect(await readDifference({ services: ours.services, context: owner, time }, id)).toBeNull();
  expect(
    (await readReconciliation({ services: ours.services, context: owner, time }, "Sandbox bank")).open,
  ).toHaveLength(1);
});

it("the page shows what agrees, what does not, and the proof of each day", async () => {
  const scene = await arrange(["FEE", -400]);
  await askReconciliation(scene.services, await scene.owner());
  const time = { nowAt: scene.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const view = await readReconciliation(
    { services: scene.services, context: await scene.owner(), time },
    "Sandbox bank",
  );
  expect(view).toMatchObject({
    agreement: {
      bankInCents: 99_600,
      booksInCents: 100_000,
      openInCents: -400,
      unexplainedInCents: 0,
      openCount: 1,
    },
    isUnderWay: true,
    open: [{ kind: "MISSING_HERE", bankInCents: -400, description: "Statement fee" }],
    days: [{ day: "2026-01-14", openCount: 1 }],
    brokenDay: null,
  });
  expect(scene.woken).toContain("reconcile");
});

it("a difference says how the bank's line traveled, and nothing of a fee, which did not", async () => {
  const scene = await arrange(["FEE", -400]);
  const { driver, organizationId, clock } = scene;
  const deposit = { organizationId, accountId: scene.pod, amountInCents: 70_012, payerName: "Halden Health" };
  const { reference } = await driver.deposit({
    ...deposit,
    origin: "CHECK_DEPOSIT",
    businessNow: clock.now(),
  });
  await scene.passDays(6);
  await driver.misreport({ organizationId, of: { depositReference: reference }, fault: { kind: "DOUBLED" } });
  await scene.reconcile();
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const { open } = await readReconciliation(
    { services: scene.services, context: await scene.owner(), time },
    "Sandbox bank",
  );
  expect(open.map(({ description, rail }) => [description, rail])).toEqual([
    ["Statement fee", null],
    ["Halden Health", "CHECK"],
  ]);
});
