import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import {
  type BankNotice,
  type BankOrder,
  BankOrderConflict,
  type BankPort,
  BankRefusesAccount,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
  subjectOf,
} from "@/lib/ports/bank/bank-port";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";

const DAY_MS = 86_400_000;
/** Settlement takes a few banking days, and the longest run of closed days is four. */
const LONG_AFTER_MS = 14 * DAY_MS;

export interface BankContractHarness {
  bank: BankPort;
  /** A business time to submit at. */
  startsAt: Date;
  /** An organization that the bank serves and that has no orders yet. */
  createOrganization(): Promise<string>;
  /** Lets the bank's own time reach `businessNow`; the sandbox takes the time from each call and has nothing to do. */
  advanceTo(businessNow: Date): Promise<void>;
}

/**
 * What the product relies on from any bank. An adapter's test calls this with its own harness, against the bank's test
 * environment.
 */
export function describeBankPort(name: string, createHarness: () => BankContractHarness): void {
  /** An order to an outside account of its own, registered if the bank asks for that. */
  async function newOrder(
    { bank }: BankContractHarness,
    organizationId: string,
    changes: Partial<BankOrder> = {},
  ): Promise<BankOrder> {
    return {
      transferId: uuidv7(),
      organizationId,
      direction: "CREDIT",
      amountInCents: 425_000,
      label: "Quarterly tax",
      outsideAccount: await newOutsideParty(bank, organizationId, "4321"),
      ...changes,
    };
  }

  async function newOutsideParty(
    bank: BankPort,
    organizationId: string,
    accountNumberLast4: string,
  ): Promise<BankOrder["outsideAccount"]> {
    const name = "First Harbor Checking";
    if (!bank.capabilities.requiresRegistration) {
      return { name, routingNumberLast4: "0001", accountNumberLast4, bankReference: null };
    }
    const request = { ...newOutsideAccount(organizationId), accountNumber: `98765${accountNumberLast4}` };
    return { name, ...(await bank.registerOutsideAccount(request)) };
  }

  async function settle({ bank, startsAt, advanceTo }: BankContractHarness, organizationId: string) {
    const businessNow = new Date(startsAt.getTime() + LONG_AFTER_MS);
    await advanceTo(businessNow);
    const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
    return { businessNow, notices };
  }

  const referencesOf = (notices: BankNotice[]) => notices.map((notice) => notice.noticeReference);

  describe(`${name} as a BankPort`, () => {
    test("an account opened twice has one number, of which four digits are reported", async () => {
      const { bank, startsAt, createOrganization } = createHarness();
      const organizationId = await createOrganization();
      const request = { organizationId, accountId: uuidv7(), name: "Client payments", businessNow: startsAt };
      const opened = await bank.openAccount(request);
      expect(opened.accountNumberLast4).toMatch(/^[0-9]{4}$/);
      expect(opened.routingNumberLast4).toMatch(/^[0-9]{4}$/);
      expect(opened.institutionName).not.toBe("");
      expect(await bank.openAccount(request)).toEqual(opened);
    });

    test("offers accounts of pods exactly if its capabilities say so", () => {
      const { bank } = createHarness();
      expect(bank.ownAccounts !== null).toBe(bank.capabilities.ownAccounts);
    });

    test("a pod’s own account gets and returns money once per move, and sums and lines of the organization stay", async () => {
      const { bank, startsAt, createOrganization } = createHarness();
      if (bank.ownAccounts === null) return;
      const organizationId = await createOrganization();
      const asked = { organizationId, businessNow: startsAt };
      const before = await bank.balance(asked);
      const page = { from: new Date(0), cursor: null, limit: MAX_STATEMENT_LINES };
      const { lines } = await bank.statement({ ...asked, ...page });
      const pod = { organizationId, podId: uuidv7(), name: "Taxes" };
      await Promise.all([bank.ownAccounts.open(pod), bank.ownAccounts.open(pod)]);
      expect(await bank.ownAccounts.balanceInCents(pod)).toBe(0);

      const move = { ...pod, moveId: uuidv7(), amountInCents: 40_000 };
      expect(await bank.ownAccounts.move(move)).toBe("DONE");
      expect(await bank.ownAccounts.move(move)).toBe("DONE");
      await expect(bank.ownAccounts.move({ ...move, amountInCents: 50_000 })).rejects.toThrow(
        BankOrderConflict,
      );
      const back = { ...pod, moveId: uuidv7(), amountInCents: -15_000 };
      expect(await bank.ownAccounts.move(back)).toBe("DONE");
      const tooMuch = { ...pod, moveId: uuidv7(), amountInCents: -25_001 };
      expect(await bank.ownAccounts.move(tooMuch)).toBe("REFUSED");
      expect(await bank.ownAccounts.balanceInCents(pod)).toBe(25_000);

      const { currentInCents } = await bank.balance({ ...asked, podIds: [pod.podId] });
      expect(currentInCents).toBe(before.currentInCents);
      expect((await bank.balance(asked)).currentInCents).toBe(before.currentInCents - 25_000);
      expect((await bank.statement({ ...asked, ...page, podIds: [pod.podId] })).lines).toEqual(lines);
      // Its account was opened after the caller listed them.
      expect((await bank.statement({ ...asked, ...page })).lines).toEqual(lines);
    });

    test("an outside account registered many times at once has one reference, and four digits are reported", async () => {
      const { bank, createOrganization } = createHarness();
      const request = newOutsideAccount(await createOrganization());
      const registered = await Promise.all(
        Array.from({ length: 10 }, () => bank.registerOutsideAccount(request)),
      );
      expect(registered[0]).toEqual({
        bankReference: expect.stringMatching(/./),
        routingNumberLast4: "0001",
        accountNumberLast4: "4321",
      });
      for (const answer of registered) expect(answer).toEqual(registered[0]);
    });

    test("two outside accounts have two references, also with the same numbers", async () => {
      const { bank, createOrganization } = createHarness();
      const request = newOutsideAccount(await createOrganization());
      const first = await bank.registerOutsideAccount(request);
      const second = await bank.registerOutsideAccount({ ...request, outsideAccountId: uuidv7() });
      expect(second.bankReference).not.toBe(first.bankReference);
    });

    test("a routing number that fails its checksum is refused, in words without the numbers", async () => {
      const { bank, createOrganization } = createHarness();
      const request = { ...newOutsideAccount(await createOrganization()), routingNumber: "101050002" };
      const refusal = await bank.registerOutsideAccount(request).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(BankRefusesAccount);
      expect(String(refusal)).not.toMatch(/101050002|987654321/);
    });

    test("an order pays a registered outside account, and the same order to another one is rejected", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const request = newOutsideAccount(await harness.createOrganization());
      const outsideAccount = { name: "Harbor Print Shop", ...(await bank.registerOutsideAccount(request)) };
      const order = await newOrder(harness, request.organizationId, { outsideAccount });
      const first = await bank.submit(order, { businessNow: startsAt });
      expect(first.kind).toBe("ACCEPTED");
      const other = await bank.registerOutsideAccount({ ...request, outsideAccountId: uuidv7() });
      const elsewhere = { ...outsideAccount, bankReference: other.bankReference };
      await expect(
        bank.submit({ ...order, outsideAccount: elsewhere }, { businessNow: startsAt }),
      ).rejects.toThrow(BankOrderConflict);
    });

    test("an order travels on the bank's first rail, which a capability names", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const [first] = bank.capabilities.rails;
      const organizationId = await harness.createOrganization();
      await bank.submit(await newOrder(harness, organizationId), { businessNow: startsAt });
      const { notices } = await settle(harness, organizationId);
      expect(notices).toMatchObject([{ kind: "SETTLED", rail: first?.rail }]);
      const [settled] = notices;
      if (settled?.kind !== "SETTLED") throw new Error("not settled");
      expect(settled.feeInCents).toBeGreaterThanOrEqual(0);
      expect(settled.finalAt?.getTime()).toBeGreaterThan(settled.occurredAt.getTime());
      expect(settled.availableAt).toBeNull();
    });

    test("the statement's lines add up to the balance, page by page, and name their orders and rails", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      const before = await bank.balance({ organizationId, businessNow: startsAt });
      // A bank that cannot pull pays instead: the lines tell which.
      const direction = bank.capabilities.pull ? "DEBIT" : "CREDIT";
      const sign = bank.capabilities.pull ? 1 : -1;
      const others = await Promise.all(
        [300_000, 200_000, 150_000].map((amountInCents) =>
          newOrder(harness, organizationId, { direction, amountInCents }),
        ),
      );
      for (const order of others) await bank.submit(order, { businessNow: startsAt });
      const push = await newOrder(harness, organizationId, { amountInCents: 100_000 });
      await bank.submit(push, { businessNow: startsAt });

      const { businessNow } = await settle(harness, organizationId);
      const asked = { organizationId, from: new Date(0), businessNow };
      const first = await bank.statement({ ...asked, cursor: null, limit: 2 });
      expect(first.lines).toHaveLength(2);
      expect(first.nextCursor).not.toBeNull();
      const rest = await bank.statement({ ...asked, cursor: first.nextCursor, limit: MAX_STATEMENT_LINES });
      expect(rest.nextCursor).toBeNull();
      const lines = [...first.lines, ...rest.lines];
      for (const page of [first, rest]) {
        const times = page.lines.map((line) => line.bookedAt.getTime());
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
      expect(new Set(lines.map((line) => line.lineReference)).size).toBe(lines.length);
      const ofOrders = lines.filter((line) => line.kind === "ORDER");
      const rail = bank.capabilities.rails[0]?.rail;
      const expected = [
        ...others.map((order) => [order.transferId, sign * order.amountInCents, rail]),
        [push.transferId, -100_000, rail],
      ];
      expect(ofOrders.map((line) => [line.transferId, line.amountInCents, line.rail]).toSorted()).toEqual(
        expected.toSorted(),
      );
      const balance = await bank.balance({ organizationId, businessNow });
      expect(balance.currentInCents).toBe(lines.reduce((sum, line) => sum + line.amountInCents, 0));
      expect(balance.availableInCents).toBeLessThanOrEqual(balance.currentInCents);
      expect(balance.currentInCents).not.toBe(before.currentInCents);
    });

    test("one organization's balance and statement are not another's", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const [ours, theirs] = [await harness.createOrganization(), await harness.createOrganization()];
      const order = await newOrder(harness, theirs, {
        direction: bank.capabilities.pull ? "DEBIT" : "CREDIT",
      });
      const before = await bank.balance({ organizationId: ours, businessNow: startsAt });
      await bank.submit(order, { businessNow: startsAt });
      const { businessNow } = await settle(harness, theirs);
      const after = await bank.balance({ organizationId: ours, businessNow });
      expect(after.currentInCents).toBe(before.currentInCents);
      const statement = { organizationId: ours, from: new Date(0), cursor: null, limit: 10, businessNow };
      expect((await bank.statement(statement)).lines.map((line) => line.transferId)).not.toContain(
        order.transferId,
      );
    });

    test("an account that all share belongs to the first organization that needs it", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const [first, second] = [await harness.createOrganization(), await harness.createOrganization()];
      const order = await newOrder(harness, first);
      expect(await bank.submit(order, { businessNow: startsAt })).toMatchObject({ kind: "ACCEPTED" });
      if (bank.capabilities.onlyAccount === null) {
        const own = await newOrder(harness, second);
        expect(await bank.submit(own, { businessNow: startsAt })).toMatchObject({ kind: "ACCEPTED" });
        return;
      }
      await expect(bank.registerOutsideAccount(newOutsideAccount(second))).rejects.toThrow(
        BankRefusesAccount,
      );
      const theirs = { ...order, transferId: uuidv7(), organizationId: second };
      expect(await bank.submit(theirs, { businessNow: startsAt })).toMatchObject({ kind: "REFUSED" });
      const { transferId } = theirs;
      expect(await bank.find({ organizationId: second, transferId, businessNow: startsAt })).toBeNull();
      const accountId = uuidv7();
      const opened = bank.openAccount({
        organizationId: second,
        accountId,
        name: "Income",
        businessNow: startsAt,
      });
      await expect(opened).rejects.toThrow("belongs to another organization");
    });

    test.each([0, MAX_STATEMENT_LINES + 1])("a statement of %d lines is refused", async (limit) => {
      const { bank, startsAt, createOrganization } = createHarness();
      const organizationId = await createOrganization();
      const asked = { organizationId, from: startsAt, cursor: null, limit, businessNow: startsAt };
      await expect(bank.statement(asked)).rejects.toThrow(RangeError);
    });

    test.each(["CREDIT", "DEBIT"] as const)(
      "a %s is accepted, pending, and then settled",
      async (direction) => {
        const harness = createHarness();
        const { bank, startsAt } = harness;
        const organizationId = await harness.createOrganization();
        const order = await newOrder(harness, organizationId, { direction });

        const answer = await bank.submit(order, { businessNow: startsAt });
        if (direction === "DEBIT" && !bank.capabilities.pull) {
          expect(answer.kind).toBe("REFUSED");
          const { transferId } = order;
          expect(await bank.find({ organizationId, transferId, businessNow: startsAt })).toBeNull();
          return;
        }
        if (answer.kind !== "ACCEPTED") throw new Error(`refused: ${answer.code}`);
        expect(answer.expectedSettlementAt.getTime()).toBeGreaterThan(startsAt.getTime());
        expect(answer.expectedSettlementDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);

        const asked = { organizationId, transferId: order.transferId };
        expect(await bank.find({ ...asked, businessNow: startsAt })).toEqual({
          reference: answer.reference,
          state: "PENDING",
          expectedSettlementAt: answer.expectedSettlementAt,
          code: null,
        });
        expect(await bank.notices({ organizationId, businessNow: startsAt, limit: 10 })).toEqual([]);

        const { businessNow, notices } = await settle(harness, organizationId);
        expect(notices).toMatchObject([
          { transferId: order.transferId, organizationId, kind: "SETTLED", code: null },
        ]);
        expect(await bank.find({ ...asked, businessNow })).toMatchObject({ state: "SETTLED", code: null });
      },
    );

    test.each(["another amount", "the other direction", "another receiver"])(
      "an order that is at the bank with %s does not pass for the one that was sent",
      async (what) => {
        const harness = createHarness();
        const { bank, startsAt } = harness;
        const organizationId = await harness.createOrganization();
        const order = await newOrder(harness, organizationId);
        await bank.submit(order, { businessNow: startsAt });
        const asked = { organizationId, transferId: order.transferId, businessNow: startsAt };
        const { direction, amountInCents } = order;
        const expected = { direction, amountInCents, bankReference: order.outsideAccount.bankReference };
        expect(await bank.find({ ...asked, expected })).toMatchObject({ state: "PENDING" });
        const other = {
          "another amount": { amountInCents: 77 },
          "the other direction": { direction: "DEBIT" as const },
          "another receiver": { bankReference: "another" },
        }[what];
        await expect(bank.find({ ...asked, expected: { ...expected, ...other } })).rejects.toThrow(
          BankOrderConflict,
        );
      },
    );

    test("the key is accepted before and after the bank holds money", async () => {
      const harness = createHarness();
      await expect(harness.bank.verify()).resolves.toBeUndefined();
      const organizationId = await harness.createOrganization();
      await harness.bank.submit(await newOrder(harness, organizationId), { businessNow: harness.startsAt });
      await expect(harness.bank.verify()).resolves.toBeUndefined();
    });

    test("a transfer that the bank never received is not found", async () => {
      const harness = createHarness();
      const organizationId = await harness.createOrganization();
      const input = { organizationId, transferId: uuidv7(), businessNow: harness.startsAt };
      expect(await harness.bank.find(input)).toBeNull();
    });

    test("twenty submissions of one transfer at once are one order with one answer", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      const order = await newOrder(harness, organizationId);

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => bank.submit(order, { businessNow: startsAt })),
      );
      expect(answers[0]?.kind).toBe("ACCEPTED");
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect((await settle(harness, organizationId)).notices).toHaveLength(1);
    });

    test("a second submission gets the first answer, however much later it comes", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const order = await newOrder(harness, await harness.createOrganization());
      const first = await bank.submit(order, { businessNow: startsAt });
      const later = new Date(startsAt.getTime() + LONG_AFTER_MS);
      await harness.advanceTo(later);
      expect(await bank.submit({ ...order, label: "Renamed" }, { businessNow: later })).toEqual(first);
    });

    test.each(["another amount", "the other direction", "another account"])(
      "a transfer submitted again with %s is rejected",
      async (what) => {
        const harness = createHarness();
        const { bank, startsAt } = harness;
        const organizationId = await harness.createOrganization();
        const order = await newOrder(harness, organizationId);
        const changes: Record<string, Partial<BankOrder>> = {
          "another amount": { amountInCents: 425_100 },
          "the other direction": { direction: "DEBIT" },
          "another account": { outsideAccount: await newOutsideParty(bank, organizationId, "0001") },
        };
        const change = changes[what];
        const first = await bank.submit(order, { businessNow: startsAt });
        await expect(bank.submit({ ...order, ...change }, { businessNow: startsAt })).rejects.toThrow(
          BankOrderConflict,
        );
        expect(await bank.submit(order, { businessNow: startsAt })).toEqual(first);
        expect((await settle(harness, organizationId)).notices).toHaveLength(1);
      },
    );

    test.each([0, -100, 0.5, Number.NaN, 2 ** 53])(
      "an amount of %d cents never reaches the bank",
      async (amount) => {
        const harness = createHarness();
        const organizationId = await harness.createOrganization();
        const order = await newOrder(harness, organizationId, { amountInCents: amount });
        const businessNow = harness.startsAt;
        await expect(harness.bank.submit(order, { businessNow })).rejects.toThrow(RangeError);
        const { transferId } = order;
        expect(await harness.bank.find({ organizationId, transferId, businessNow })).toBeNull();
      },
    );

    test("a notice is repeated under the same reference until it is acknowledged", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      await bank.submit(await newOrder(harness, organizationId), { businessNow: startsAt });

      const { businessNow, notices } = await settle(harness, organizationId);
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual(notices);
      const noticeReferences = referencesOf(notices);
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual([]);
      // After a crash between acknowledging and recording that, the caller repeats itself.
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual([]);
    });

    test("a notice that is set aside is listed again after a while, delays no other, and ends when it is acknowledged", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      for (const amountInCents of [1_000, 2_000]) {
        await bank.submit(await newOrder(harness, organizationId, { amountInCents }), {
          businessNow: startsAt,
        });
      }
      const { businessNow, notices } = await settle(harness, organizationId);
      const [stuck, other] = notices;
      if (!stuck || !other) throw new Error("Two orders have two notices");
      const { noticeReference } = stuck;
      const aside = { organizationId, noticeReference, subject: subjectOf(stuck) };
      const listed = (at: Date) => bank.notices({ organizationId, businessNow: at, limit: 10 });
      const polled = (at: Date) => bank.organizationsWithNotices({ realNow: at, limit: MAX_NOTICES });
      await bank.setAside({ ...aside, businessNow });
      expect(await listed(businessNow)).toEqual([other]);
      await bank.acknowledge({ organizationId, noticeReferences: referencesOf([other]), businessNow });
      expect(await listed(businessNow)).toEqual([]);
      expect(await polled(businessNow)).not.toContain(organizationId);

      const soon = new Date(businessNow.getTime() + 6_000);
      expect(await listed(soon)).toEqual([stuck]);
      for (let attempt = 0; attempt < 30; attempt += 1) await bank.setAside({ ...aside, businessNow: soon });
      expect(await listed(soon)).toEqual([]);
      const anHourLater = new Date(soon.getTime() + 3_600_000);
      expect(await polled(anHourLater)).toContain(organizationId);
      expect(await listed(anHourLater)).toEqual([stuck]);
      const acknowledged = { organizationId, noticeReferences: [noticeReference], businessNow: anHourLater };
      await bank.acknowledge(acknowledged);
      expect(await listed(new Date(anHourLater.getTime() + DAY_MS))).toEqual([]);
    });

    test("one organization neither sees nor acknowledges another's notices", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const ours = await harness.createOrganization();
      const theirs = await harness.createOrganization();
      const order = await newOrder(harness, theirs);
      await bank.submit(order, { businessNow: startsAt });

      const { businessNow, notices } = await settle(harness, theirs);
      await bank.acknowledge({ organizationId: ours, noticeReferences: referencesOf(notices), businessNow });
      expect(await bank.notices({ organizationId: ours, businessNow, limit: 10 })).toEqual([]);
      expect(await bank.notices({ organizationId: theirs, businessNow, limit: 10 })).toEqual(notices);
      const asked = { organizationId: ours, transferId: order.transferId, businessNow };
      expect(await bank.find(asked)).toBeNull();
    });

    test("unknown references are acknowledged without effect", async () => {
      const harness = createHarness();
      const organizationId = await harness.createOrganization();
      const noticeReferences = [uuidv7(), "not a reference of ours", ""];
      const acknowledged = harness.bank.acknowledge({
        organizationId,
        noticeReferences,
        businessNow: harness.startsAt,
      });
      await expect(acknowledged).resolves.toBeUndefined();
    });

    test("a page of notices holds the oldest, and acknowledging it brings the next", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      const orders = await Promise.all([1, 2, 3].map(() => newOrder(harness, organizationId)));
      for (const order of orders) await bank.submit(order, { businessNow: startsAt });

      const { businessNow } = await settle(harness, organizationId);
      const seen: string[] = [];
      for (const expectedSize of [2, 1, 0]) {
        const page = await bank.notices({ organizationId, businessNow, limit: 2 });
        expect(page).toHaveLength(expectedSize);
        seen.push(...page.flatMap((notice) => ("transferId" in notice ? notice.transferId : [])));
        await bank.acknowledge({ organizationId, noticeReferences: referencesOf(page), businessNow });
      }
      expect(seen.toSorted()).toEqual(orders.map((order) => order.transferId).toSorted());
    });

    test.each([0, -1, 0.5, MAX_NOTICES + 1])("a limit of %d is refused", async (limit) => {
      const { bank, startsAt, createOrganization } = createHarness();
      const organizationId = await createOrganization();
      await expect(bank.notices({ organizationId, businessNow: startsAt, limit })).rejects.toThrow(
        RangeError,
      );
      await expect(bank.organizationsWithNotices({ realNow: startsAt, limit })).rejects.toThrow(RangeError);
    });

    test("an organization is polled while it has due notices, and not before or after", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const organizationId = await harness.createOrganization();
      await bank.submit(await newOrder(harness, organizationId), { businessNow: startsAt });
      const polledAt = (realNow: Date) => bank.organizationsWithNotices({ realNow, limit: MAX_NOTICES });
      expect(await polledAt(startsAt)).not.toContain(organizationId);

      const { businessNow, notices } = await settle(harness, organizationId);
      expect(await polledAt(businessNow)).toContain(organizationId);
      await bank.acknowledge({ organizationId, noticeReferences: referencesOf(notices), businessNow });
      expect(await polledAt(businessNow)).not.toContain(organizationId);
    });
  });
}
