import type { Database } from "@/proof/torture/checker/read-database";

/** What the emulated bank has in its own books, as its API lists it. */
export interface BankBooks {
  accounts: { id: string; idempotency_key: string | null }[];
  orders: BankOrder[];
  /** Between the organization's account and those of its pods. */
  moves: { id: string; idempotency_key: string | null }[];
  deposits: {
    id: string;
    account_id: string;
    amount: number;
    acceptance: { transaction_id: string } | null;
  }[];
  transactions: { id: string; account_id: string; amount: number; source: { category: string } }[];
  /** Of which it said something else after they were compared. */
  changedLines: { organizationId: string; lineReference: string }[];
}

interface BankOrder {
  id: string;
  account_id: string;
  idempotency_key: string | null;
  /** Positive: out of the account. */
  amount: number;
  status: string;
  settlement: object | null;
}

/** Whose an account is: `sluice-account:<organization>`, and `sluice-account:<organization>:<pod>` of a pod. */
export function organizationOf(books: BankBooks, accountId: string): string {
  return ownersOf(books, accountId)[1] ?? "nobody";
}

/** Null: the organization's own account. */
export function podOf(books: BankBooks, accountId: string): string | null {
  return ownersOf(books, accountId)[2] ?? null;
}

function ownersOf({ accounts }: BankBooks, accountId: string): string[] {
  const account = accounts.find(({ id }) => id === accountId);
  return account?.idempotency_key?.split(":") ?? [];
}

/** The database with this bank's orders and deposits in the place of the sandbox bank's. */
export function withBooks(database: Database, books: BankBooks): Database {
  return {
    ...database,
    bank: books.orders.map((order) => ({
      organizationId: organizationOf(books, order.account_id),
      transferId: order.idempotency_key ?? order.id,
      direction: order.amount > 0 ? "CREDIT" : "DEBIT",
      amountInCents: Math.abs(order.amount),
      isRefused: order.status === "rejected" || order.status === "canceled",
      isSettled: order.settlement !== null,
      isReturned: order.status === "returned",
    })),
    deposits: books.deposits
      .filter(({ acceptance }) => acceptance !== null)
      .map(({ account_id: accountId, amount, acceptance }) => ({
        organizationId: organizationOf(books, accountId),
        reference: acceptance?.transaction_id ?? "none",
        amountInCents: amount,
        // Whatever it keeps must have been collected by now.
        isReported: true,
      })),
    changedLines: books.changedLines,
    unknownLines: books.transactions
      .filter(({ source }) => source.category === "sample_funds")
      .map(({ id, account_id: accountId }) => ({
        organizationId: organizationOf(books, accountId),
        lineReference: id,
      })),
  };
}
