import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { auditBooks } from "@/lib/testing/conservation";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const DAY_MS = 86_400_000;
const TRANSFERS_PER_RUN = 50;

/** Cents .01 to .09 make the sandbox bank refuse, return, go silent or repeat itself. */
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

describe("random transfers with failures, holds, returns, cancellations and retries", () => {
  it("create and lose no cent, leave nothing below zero and nothing without an end", {
    timeout: 600_000,
  }, async () => {
    const runs = proofSize(4, 40);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: TRANSFERS_PER_RUN, maxLength: 2 * TRANSFERS_PER_RUN }),
        async (steps) => {
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
            await organization.addAccount({
              name: "Checking",
              type: "EXTERNAL_ACCOUNT",
              balanceInCents: 500_000,
            }),
            await organization.addAccount({
              name: "Visa",
              type: "EXTERNAL_ACCOUNT",
              externalAccountType: "LIABILITY",
            }),
          ];
          const key = await organization.addKey([
            {
              type: "MANUAL_TRANSFER",
              entries: [{ source: "ANY", target: "ANY" }],
              approval: { required: false },
            },
          ]);
          const created: string[] = [];
          const context = () => ({ ...key.context, now: clock.now() });
          const work = async () => {
            await bookDueTransfers(services, 64);
            await submitDueTransfers(services, bank, 64);
            await collectBankNotices(services, bank, 64);
          };
          const run = {
            TRANSFER: async (one: { from: number; to: number; amountInCents: number }) => {
              const route = {
                sourceAccountId: accounts[one.from] ?? "",
                destinationAccountId: accounts[one.to] ?? "",
              };
              const result = await createTransfer(services, context(), {
                body: { ...route, amountInCents: one.amountInCents },
                sent: {
                  method: "POST",
                  path: "/platform/v1/transfers",
                  idempotencyKey: null,
                  calledReason: null,
                  body: {},
                },
                auditAction: "CREATE_TRANSFER",
                idempotency: null,
              }).catch((error: unknown) => {
                // Routes that no transfer may take (twice the same account, from a debt, outside to outside).
                expect(error).toMatchObject({ name: "AppError", code: "INVALID_PARAMETERS" });
                return null;
              });
              if (result?.kind === "CREATED") created.push(result.body.data.id);
            },
            CANCEL: async (which: number) => {
              const id = created[which % Math.max(1, created.length)];
              if (id) await cancelTransfer(services, { ...organization.owner, now: clock.now() }, id);
            },
          };
          for (const one of steps) {
            if (one.kind === "TRANSFER" && one.from !== one.to) await run.TRANSFER(one);
            if (one.kind === "WORK") await work();
            if (one.kind === "DAYS") clock.advance(one.days * DAY_MS);
            if (one.kind === "DEPOSIT") await organization.deposit(accounts[one.to] ?? "", one.amountInCents);
            if (one.kind === "CANCEL") await run.CANCEL(one.which);
            const report = await auditBooks(database, organization.organizationId);
            expect(report).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
            expect(report.managedInCents).toBe(report.cameInInCents - report.wentOutInCents);
          }
          // Time passes until the bank has said its last word of everything.
          for (let day = 0; day < 20; day++) {
            await work();
            clock.advance(DAY_MS);
          }
          await work();
          const { rows } = await database.pool.query(
            "select count(*)::int as count from transfers where organization_id = $1 and status = 'PROCESSING'",
            [organization.organizationId],
          );
          expect(rows[0]).toEqual({ count: 0 });
          const report = await auditBooks(database, organization.organizationId);
          expect(report).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
          expect(report.managedInCents).toBe(report.cameInInCents - report.wentOutInCents);
        },
      ),
      { seed: proofSeed, numRuns: runs, endOnFailure: true },
    );
  });
});
