import { describe, expect, it, vi } from "vitest";
import { checkDraft } from "@/lib/core/approvals/checks-for-programs";
import { BOOK_TRANSFERS } from "@/lib/core/shared/work-names";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

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
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 1,
  });
  const create = (
    amountInCents: number,
    given: { description?: string; idempotencyKey?: string; destinationAccountId?: string } = {},
  ) =>
    createTransfer(services, key.context, {
      body: {
        sourceAccountId: operating,
        destinationAccountId: given.destinationAccountId ?? taxes,
        amountInCents,
        description: given.description,
      },
      sent: {
        method: "POST",
        path: "/platform/v1/transfers",
        idempotencyKey: null,
        calledReason: null,
        body: {},
      },
      auditAction: "CREATE_TRANSFER",
      idempotency: given.idempotencyKey
        ? {
            operation: "createTransfer",
            path: "/platform/v1/transfers",
            key: given.idempotencyKey,
            fingerprint: "00".repeat(32),
          }
        : null,
      check: checkDraft,
    });
  const ledger = async (id: string) => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where organization_id = $1 and id = $2",
      [organization.organizationId, id],
    );
    return rows[0];
  };
  return { services, clock, woken, organization, operating, taxes, checking, key, create, ledger };
}

describe("a transfer without approval", () => {
  it("between own accounts is booked as it is accepted, and its response still says PROCESSING", async () => {
    const { services, create, ledger, operating, taxes, key, woken } = await arrange();
    const result = await create(30_000);
    expect(await ledger(operating)).toEqual({ balance: 70_000, held: 0 });
    expect(await ledger(taxes)).toEqual({ balance: 30_000, held: 0 });
    if (result.kind !== "CREATED") throw new Error("not created");
    expect(result.status).toBe(202);
    expect(result.body.data).toMatchObject({ status: "PROCESSING", completedAt: null });
    const transfer = await getTransfer(services, key.context, result.body.data.id);
    expect(transfer).toMatchObject({ status: "COMPLETE", completedAt: transfer.createdAt });
    expect(woken).not.toContain(BOOK_TRANSFERS);
    expect(await bookDueTransfers(services, 10)).toBe(0);
  });

  it("to the outside holds its amount from acceptance", async () => {
    const { create, ledger, operating, checking, services } = await arrange();
    await create(30_000, { destinationAccountId: checking });
    await bookDueTransfers(services, 10);
    expect(await ledger(operating)).toEqual({ balance: 100_000, held: 30_000 });
  });

  it("is expected on a banking day no earlier than its creation, even on a Sunday evening", async () => {
    const { key, create, clock } = await arrange();
    clock.set(new Date("2026-11-23T02:00:00.000Z"));
    key.context.now = clock.now();
    const result = await create(1_000);
    if (result.kind !== "CREATED") throw new Error("not created");
    expect(result.body.data).toMatchObject({
      createdAt: "2026-11-23T02:00:00.000Z",
      expectedCompletionDate: "2026-11-23",
    });
  });

  it("fails and moves nothing if it would take the source below its floor", async () => {
    const { services, create, ledger, operating, key } = await arrange();
    const result = await create(80_001);
    await bookDueTransfers(services, 10);
    expect(await ledger(operating)).toEqual({ balance: 100_000, held: 0 });
    if (result.kind !== "CREATED") throw new Error("not created");
    const transfer = await getTransfer(services, key.context, result.body.data.id);
    expect(transfer).toMatchObject({ status: "FAILED", errorCode: "BELOW_FLOOR" });
  });
});

describe("transfers requested at the same moment", () => {
  it("share round trips, and each gets its own response", async () => {
    const { create, ledger, operating } = await arrange();
    const query = vi.spyOn(database.pool, "query");
    const results = await Promise.all(Array.from({ length: 16 }, (_, index) => create(100 + index)));
    const names = query.mock.calls.map(([call]) => Object(call).name);
    query.mockRestore();
    expect(names).toEqual(["find_parties", "create_transfers"]);
    const amounts = results.map((one) => one.kind === "CREATED" && one.body.data.amountInCents);
    expect(amounts).toEqual(Array.from({ length: 16 }, (_, index) => 100 + index));
    expect(await ledger(operating)).toEqual({ balance: 100_000 - 16 * 100 - 120, held: 0 });
  });

  it("succeed even if the database refuses one of them", async () => {
    const { create, ledger, operating } = await arrange();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        // Bypasses the API's schema: only the check constraint stops it.
        create(100, { description: index === 10 ? "not, so!" : "fine" }),
      ),
    );
    expect(results.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([10]);
    expect(await ledger(operating)).toEqual({ balance: 100_000 - 19 * 100, held: 0 });
  });

  it("with the same idempotency key happen once", async () => {
    const { services, create, ledger, operating } = await arrange();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => create(100, { idempotencyKey: "the-one" })),
    );
    // A group that holds a replay is accepted one by one, and booked by the worker.
    await bookDueTransfers(services, 10);
    const kinds = results.map((one) => (one.status === "fulfilled" ? one.value.kind : one.reason.code));
    expect(kinds.filter((kind) => kind === "CREATED")).toHaveLength(1);
    expect(new Set(kinds.filter((kind) => kind !== "CREATED"))).not.toContain(undefined);
    expect(await ledger(operating)).toEqual({ balance: 100_000 - 100, held: 0 });
  });
});
