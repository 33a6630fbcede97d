import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

let organizationId: string;
let operating: string;
let taxes: string;
beforeEach(async () => {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  organizationId = organization.organizationId;
  operating = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 50_000 });
  taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
});

const balanceOf = async (ledgerId: string) => {
  const { rows } = await database.pool.query(
    "select credits_in_cents - debits_in_cents as balance from ledgers where organization_id = $1 and id = $2",
    [organizationId, ledgerId],
  );
  return rows[0]?.balance;
};

/** An entry without its transfer, written by the owner's role through the only function that writes entries. */
const insertEntry = (fields: { debit: string; credit: string; amount: number; transferId?: string }) =>
  database.ownerPool.query(
    "select post_entries(array[row($1, $2, $3, null, 'TRANSFER', $4, $5, $6, 0, now())::posting])",
    [
      organizationId,
      newId(new Date(0)),
      fields.transferId ?? newId(new Date(0)),
      fields.debit,
      fields.credit,
      fields.amount,
    ],
  );

describe("the application's role", () => {
  it.each(["update entries set amount_in_cents = 1", "delete from entries", "truncate entries"])(
    "is refused: %s",
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
    },
  );

  it("cannot write an entry past the booking functions", async () => {
    await expect(
      database.pool.query("insert into entries (organization_id, id) values ($1, $1)", [organizationId]),
    ).rejects.toMatchObject({ code: "42501" });
  });

  it.each([
    "update ledgers set credits_in_cents = credits_in_cents + 1",
    "update ledgers set held_in_cents = 0",
    "delete from ledgers",
    "update transfers set amount_in_cents = 1",
    "update transfers set status = 'COMPLETE'",
    "update audit_entries set outcome = 'SUCCESS'",
    "delete from bank_notices",
    "update proposals set request = null",
    "update cards set status = 'ACTIVE'",
    "insert into cards default values",
    "insert into card_transactions default values",
    "update card_transactions set amount_in_cents = 1",
    "update card_authorizations set hold_in_cents = 0",
    "delete from card_authorizations",
    "update card_months set spent_in_cents = 0",
  ])("cannot change money, states or history directly: %s", async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  it("cannot call the function that writes entries", async () => {
    await expect(database.pool.query("select post_entries(array[]::posting[])")).rejects.toMatchObject({
      code: "42501",
    });
  });

  it("cannot open a ledger with money in it", async () => {
    await expect(
      database.pool.query(
        "insert into ledgers (organization_id, id, kind, credits_in_cents) values ($1, $2, 'MANAGED', 100)",
        [organizationId, newId(new Date(0))],
      ),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the role that owns the tables", () => {
  it.each(["update entries set amount_in_cents = 1", "delete from entries", "truncate entries cascade"])(
    "cannot rewrite history either: %s",
    async (statement) => {
      await expect(database.ownerPool.query(statement)).rejects.toMatchObject({ code: "23001" });
    },
  );
});

describe("an entry", () => {
  it("is refused from anywhere else, even of the owner, because it would move no balance", async () => {
    await expect(
      database.ownerPool.query(
        `insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
            booked_at) values ($1, $2, $2, 'TRANSFER', $3, $4, 1, now())`,
        [organizationId, newId(new Date(0)), operating, taxes],
      ),
    ).rejects.toMatchObject({ code: "23502", column: "is_posted" });
  });

  it("moves both balances by the same amount in the statement that writes it", async () => {
    await insertEntry({ debit: operating, credit: taxes, amount: 12_345 });
    expect([await balanceOf(operating), await balanceOf(taxes)]).toEqual([37_655, 12_345]);
  });

  it("cannot be one-sided: no booking from an account to itself, of zero, or of a negative amount", async () => {
    await expect(insertEntry({ debit: operating, credit: operating, amount: 1 })).rejects.toMatchObject({
      code: "23514",
    });
    await expect(insertEntry({ debit: operating, credit: taxes, amount: 0 })).rejects.toMatchObject({
      code: "23514",
    });
    await expect(insertEntry({ debit: operating, credit: taxes, amount: -5 })).rejects.toMatchObject({
      code: "23514",
    });
    await expect(
      insertEntry({ debit: operating, credit: newId(new Date(0)), amount: 5 }),
    ).rejects.toMatchObject({
      code: "23503",
    });
    expect(await balanceOf(operating)).toBe(50_000);
  });

  it("cannot take a managed account below zero", async () => {
    await expect(insertEntry({ debit: operating, credit: taxes, amount: 50_001 })).rejects.toMatchObject({
      code: "23514",
      constraint: "never_negative_by_us",
    });
  });

  it("has exactly one cause: a transfer or a card transaction", async () => {
    const insert = (kind: string, transferId: string | null, cardTransactionId: string | null) =>
      database.ownerPool.query(
        "select post_entries(array[row($1, $2, $3, $4, $5, $6, $7, 1, 0, now())::posting])",
        [organizationId, newId(new Date(0)), transferId, cardTransactionId, kind, operating, taxes],
      );
    const id = newId(new Date(0));
    await expect(insert("TRANSFER", null, null)).rejects.toMatchObject({ constraint: "one_cause" });
    await expect(insert("CARD", id, id)).rejects.toMatchObject({ constraint: "one_cause" });
    await expect(insert("CARD", id, null)).rejects.toMatchObject({ constraint: "card_entries_are_of_cards" });
    await expect(insert("RETURN", null, id)).rejects.toMatchObject({
      constraint: "card_entries_are_of_cards",
    });
    await expect(insert("CARD", null, id)).rejects.toMatchObject({ code: "23503" });
  });

  it("of one transfer is written once, and a repetition moves nothing", async () => {
    const transferId = newId(new Date(0));
    await insertEntry({ debit: operating, credit: taxes, amount: 100, transferId });
    await expect(
      insertEntry({ debit: operating, credit: taxes, amount: 100, transferId }),
    ).rejects.toMatchObject({
      constraint: "booked_once",
    });
    expect(await balanceOf(taxes)).toBe(100);
  });
});
