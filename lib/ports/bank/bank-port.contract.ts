import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import {
  type BankNotice,
  type BankOrder,
  BankOrderConflict,
  type BankPort,
  MAX_NOTICES,
} from "@/lib/ports/bank/bank-port";

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
  const newOrder = (organizationId: string, changes: Partial<BankOrder> = {}): BankOrder => ({
    transferId: uuidv7(),
    organizationId,
    direction: "CREDIT",
    amountInCents: 425_000,
    label: "Quarterly tax",
    outsideAccount: { name: "First Harbor Checking", routingNumberLast4: "0021", accountNumberLast4: "8812" },
    ...changes,
  });

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

    test.each(["CREDIT", "DEBIT"] as const)(
      "a %s is accepted, pending, and then settled",
      async (direction) => {
        const harness = createHarness();
        const { bank, startsAt } = harness;
        const organizationId = await harness.createOrganization();
        const order = newOrder(organizationId, { direction });

        const answer = await bank.submit(order, { businessNow: startsAt });
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
      const order = newOrder(organizationId);

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
      const order = newOrder(await harness.createOrganization());
      const first = await bank.submit(order, { businessNow: startsAt });
      const later = new Date(startsAt.getTime() + LONG_AFTER_MS);
      await harness.advanceTo(later);
      expect(await bank.submit({ ...order, label: "Renamed" }, { businessNow: later })).toEqual(first);
    });

    test.each([
      ["another amount", { amountInCents: 425_100 }],
      ["the other direction", { direction: "DEBIT" }],
      [
        "another account",
        { outsideAccount: { name: "Elsewhere", routingNumberLast4: "0021", accountNumberLast4: "0001" } },
      ],
    ] satisfies [string, Partial<BankOrder>][])(
      "a transfer submitted again with %s is rejected",
      async (_, change) => {
        const harness = createHarness();
        const { bank, startsAt } = harness;
        const organizationId = await harness.createOrganization();
        const order = newOrder(organizationId);
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
        const order = newOrder(organizationId, { amountInCents: amount });
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
      await bank.submit(newOrder(organizationId), { businessNow: startsAt });

      const { businessNow, notices } = await settle(harness, organizationId);
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual(notices);
      const noticeReferences = referencesOf(notices);
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual([]);
      // After a crash between acknowledging and recording that, the caller repeats itself.
      await bank.acknowledge({ organizationId, noticeReferences, businessNow });
      expect(await bank.notices({ organizationId, businessNow, limit: 10 })).toEqual([]);
    });

    test("one organization neither sees nor acknowledges another's notices", async () => {
      const harness = createHarness();
      const { bank, startsAt } = harness;
      const ours = await harness.createOrganization();
      const theirs = await harness.createOrganization();
      const order = newOrder(theirs);
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
      const orders = [newOrder(organizationId), newOrder(organizationId), newOrder(organizationId)];
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
      await bank.submit(newOrder(organizationId), { businessNow: startsAt });
      const polledAt = (realNow: Date) => bank.organizationsWithNotices({ realNow, limit: MAX_NOTICES });
      expect(await polledAt(startsAt)).not.toContain(organizationId);

      const { businessNow, notices } = await settle(harness, organizationId);
      expect(await polledAt(businessNow)).toContain(organizationId);
      await bank.acknowledge({ organizationId, noticeReferences: referencesOf(notices), businessNow });
      expect(await polledAt(businessNow)).not.toContain(organizationId);
    });
  });
}
