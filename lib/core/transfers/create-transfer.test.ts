import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { getTransfer } from "@/lib/core/transfers/get-transfer";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
    floorInCents: 20_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([
    { type: "READ_TRANSFERS", accounts: "ALL" },
    { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: false } },
  ]);
  const create = (amountInCents: number) =>
    createTransfer(services, key.context, {
      body: { sourceAccountId: operating, destinationAccountId: taxes, amountInCents },
      sent: {
        method: "POST",
        path: "/platform/v1/transfers",
        idempotencyKey: null,
        calledReason: null,
        body: {},
      },
      auditAction: "CREATE_TRANSFER",
      idempotency: null,
    });
  const ledger = async (id: string) => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where organization_id = $1 and id = $2",
      [organization.organizationId, id],
    );
    return rows[0];
  };
  return { services, clock, woken, organization, operating, taxes, key, create, ledger };
}

describe("a transfer that no human approves", () => {
  it("holds its amount from acceptance on, and moves it when it is booked", async () => {
    const { services, create, ledger, operating, taxes, key } = await arrange();
    const result = await create(30_000);
    expect(await ledger(operating)).toEqual({ balance: 100_000, held: 30_000 });
    await bookDueTransfers(services, 10);
    expect(await ledger(operating)).toEqual({ balance: 70_000, held: 0 });
    expect(await ledger(taxes)).toEqual({ balance: 30_000, held: 0 });
    if (result.kind !== "CREATED") throw new Error("not created");
    expect((await getTransfer(services, key.context, result.body.data.id)).status).toBe("COMPLETE");
  });

  it("fails and moves nothing when it would take the source below its floor", async () => {
    const { services, create, ledger, operating, key } = await arrange();
    const result = await create(80_001);
    await bookDueTransfers(services, 10);
    expect(await ledger(operating)).toEqual({ balance: 100_000, held: 0 });
    if (result.kind !== "CREATED") throw new Error("not created");
    const transfer = await getTransfer(services, key.context, result.body.data.id);
    expect(transfer).toMatchObject({ status: "FAILED", errorCode: "BELOW_FLOOR" });
  });
});
