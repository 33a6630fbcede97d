import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { readExportedBooks } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase(RACING);

const DAY_MS = 86_400_000;
const STEPS = 50;

/** Amounts ending in .01 to .09 make the sandbox bank refuse, return, go silent or repeat itself. */
const amountInCents = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 60_000 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 }))
      .map(([dollars, cents]) => dollars * 100 + cents),
  },
);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("TRANSFER" as const),
      from: fc.nat(4),
      to: fc.nat(4),
      amountInCents,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("WORK" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("DAYS" as const), days: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("DEPOSIT" as const), to: fc.nat(2), amountInCents }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("CANCEL" as const), which: fc.nat(1_000) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two pods and an income source, an outside account to push to and pull from, and a debt. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const bank = createSandboxBank(database.pool);
  const organization = await createTestOrganization(database, services);
  const accounts = [
    await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 120_000,
      floorInCents: 5_000,
    }),
    await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents: 30_000 }),
    await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" }),
    await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 500_000 }),
    await organization.addAccount({
      name: "Visa",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
    }),
  ];
  const key = await organization.addKey([moveAnything(false)]);
  const created: string[] = [];
  const account = (index: number) => accounts[index] ?? "";

  async function work(): Promise<void> {
    await bookDueTransfers(services, 64);
    await submitDueTransfers(services, bank, 64);
    await collectBankNotices(services, bank, 64);
  }

  async function ask(from: number, to: number, amount: number): Promise<void> {
    const route = { sourceAccountId: account(from), destinationAccountId: account(to) };
    try {
      created.push((await askTransfer(services, key.context, { ...route, amountInCents: amount })).id);
    } catch (error) {
      // Routes that every transfer is refused on: from a debt, from outside to outside.
      expect(error).toMatchObject({ name: "AppError", code: "INVALID_PARAMETERS" });
    }
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === "TRANSFER" && one.from !== one.to) await ask(one.from, one.to, one.amountInCents);
    if (one.kind === "WORK") await work();
    if (one.kind === "DAYS") clock.advance(one.days * DAY_MS);
    if (one.kind === "DEPOSIT") await organization.deposit(account(one.to), one.amountInCents);
    if (one.kind === "CANCEL") {
      const id = created[one.which % Math.max(1, created.length)];
      if (id) await cancelTransfer(services, { ...organization.owner, now: clock.now() }, id);
    }
  }

  /** Advances the clock until the bank has settled or returned everything. */
  async function settle(): Promise<void> {
    for (let day = 0; day < 20; day++) {
      await work();
      clock.advance(DAY_MS);
    }
    await work();
  }

  return { organizationId: organization.organizationId, created, take, settle };
}

async function expectBalanced(organizationId: string): Promise<void> {
  const report = await auditBooks(database, organizationId);
  expect(report).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
  expect(report.managedInCents).toBe(report.cameInInCents - report.wentOutInCents);
}

describe("random transfers with failures, holds, returns, cancellations and retries", () => {
  it("create and lose no cent, leave no balance below zero and no transfer unfinished", {
    timeout: 600_000,
  }, async () => {
    let transferCount = 0;
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: 2 * STEPS }), async (steps) => {
        const { organizationId, created, take, settle } = await arrange();
        for (const one of steps) {
          await take(one);
          await expectBalanced(organizationId);
        }
        await settle();
        await expectBalanced(organizationId);
        await readExportedBooks(database.pool, organizationId);
        const { rows } = await database.pool.query<{ status: string }>(
          "select distinct status from transfers where organization_id = $1",
          [organizationId],
        );
        const statuses = rows.map((row) => row.status);
        expect(statuses).not.toContain("PROCESSING");
        for (const status of statuses) endings.add(status);
        transferCount += created.length;
      }),
      { seed: proofSeed, numRuns: proofSize(4, 60), endOnFailure: true },
    );
    // Enough transfers were made, and every ending occurred.
    expect(transferCount).toBeGreaterThanOrEqual(proofSize(50, 1_000));
    expect([...endings].sort()).toEqual(["CANCELLED", "COMPLETE", "FAILED", "RETURNED"]);
  });
});
