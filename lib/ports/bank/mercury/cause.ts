import type { Adoption } from "@/lib/ports/bank/adoption";
import {
  type Mercury,
  type MercuryTransaction,
  read,
  transactionSchema,
} from "@/lib/ports/bank/mercury/call-mercury";
import {
  isNamedAfter,
  ORDER_COLUMNS,
  type StoredOrder,
  transferNamedIn,
} from "@/lib/ports/bank/mercury/orders";
import { Unreadable } from "@/lib/ports/bank/unread";

/**
 * What a transaction is to Sluice. Events and the statement are read by the same rule, or every line that they see
 * differently would be a difference for ever.
 */
export type Cause =
  | { kind: "ORDER" | "ORDER_RETURN"; order: StoredOrder }
  /** All other money in, interest and rebates included. */
  | { kind: "DEPOSIT" }
  | { kind: "DEPOSIT_RETURN"; deposit: MercuryTransaction | null; depositId: string }
  /** Money out that Sluice did not send: a member books it. */
  | { kind: "FEE" | "INTEREST" | "OTHER" };

/** What is stored about some transactions and those that they return. */
export interface Known {
  /** By its id or request; by the note alone where a transaction names no request. */
  orderOf(transaction: MercuryTransaction | { id: string }): StoredOrder | null;
  isDeposit(transactionId: string): boolean;
}

// How the kinds of relation are used is not documented, only their names.
const RETURNS = ["PaymentRefundToFailedPayment", "ReturnToOriginalTransaction"];

export async function readKnown(
  { pool }: Mercury,
  { organizationId }: Pick<Adoption, "organizationId">,
  transactions: readonly MercuryTransaction[],
): Promise<Known> {
  const ids = transactions.flatMap(({ id, relatedTransactions }) => [
    id,
    ...relatedTransactions.map((related) => related.id),
  ]);
  const requestIds = transactions.flatMap(({ requestId }) => requestId ?? []);
  const named = transactions.flatMap((transaction) => transferNamedIn(transaction) ?? []);
  const [orders, deposits] = await Promise.all([
    pool.query<StoredOrder>({
      name: "list_orders_of_mercury_transactions",
      text: `select ${ORDER_COLUMNS} from mercury_orders
              where organization_id = $1 and (transaction_id = any ($2) or request_id = any ($3) or transfer_id = any ($4))`,
      values: [organizationId, ids, requestIds, named],
    }),
    pool.query<{ reference: string }>({
      name: "list_mercury_deposits",
      text: `select notice_reference as reference from bank_inbox
              where organization_id = $1 and notice_reference = any ($2)`,
      values: [organizationId, ids.map(noticeOfDeposit)],
    }),
  ]);
  const byTransaction = new Map(orders.rows.map((order) => [order.transactionId, order]));
  const byRequest = new Map(orders.rows.map((order) => [order.requestId, order]));
  const reported = new Set(deposits.rows.map(({ reference }) => reference));
  return {
    orderOf: (transaction) => {
      const order = byTransaction.get(transaction.id);
      if (order || !("kind" in transaction)) return order ?? null;
      if (transaction.requestId) return byRequest.get(transaction.requestId) ?? null;
      return orders.rows.find((one) => one.transactionId === null && isNamedAfter(transaction, one)) ?? null;
    },
    isDeposit: (id) => reported.has(noticeOfDeposit(id)),
  };
}

export const noticeOfDeposit = (transactionId: string) => `${transactionId}:deposited`;

/** @throws Unreadable if its amount, or what it returns, cannot be read @throws BankUnavailable */
export async function causeOf(
  mercury: Mercury,
  adoption: Adoption,
  transaction: MercuryTransaction,
  known: Known,
): Promise<Cause> {
  const { id, amount, kind } = transaction;
  const order = amount < 0 ? known.orderOf(transaction) : null;
  if (order) return { kind: "ORDER", order };
  // A payment that brings money is none, and must not pass for a deposit.
  if (amount >= 0 && known.orderOf({ id })) {
    throw new Unreadable("amount is not as documented", adoption.organizationId);
  }
  const origin = transaction.relatedTransactions.find(({ relationKind }) => RETURNS.includes(relationKind));
  const returned = origin ? await causeOfReturn(mercury, adoption, { transaction, origin, known }) : null;
  if (returned) return returned;
  if (amount > 0) return { kind: "DEPOSIT" };
  if (/fee/i.test(kind)) return { kind: "FEE" };
  return { kind: kind === "interestPayment" ? "INTEREST" : "OTHER" };
}

/** Of a return; null: what it returns is not Sluice's. Its original may not have been read yet, so it is asked for. */
async function causeOfReturn(
  mercury: Mercury,
  adoption: Adoption,
  input: { transaction: MercuryTransaction; origin: { id: string }; known: Known },
): Promise<Cause | null> {
  const { origin, known, transaction } = input;
  const order = known.orderOf(origin);
  if (order) return { kind: "ORDER_RETURN", order };
  const isOut = transaction.amount < 0;
  if (isOut && known.isDeposit(origin.id)) {
    return { kind: "DEPOSIT_RETURN", deposit: null, depositId: origin.id };
  }
  const original = await readOriginal(mercury, origin.id);
  if (original.accountId !== mercury.setting.accountId) return null;
  if (isOut) {
    const isOurs = original.amount > 0 && isAfterAdoption(adoption, original);
    return isOurs ? { kind: "DEPOSIT_RETURN", deposit: original, depositId: origin.id } : null;
  }
  const sent = (await readKnown(mercury, adoption, [original])).orderOf(original);
  return sent ? { kind: "ORDER_RETURN", order: sent } : null;
}

async function readOriginal(mercury: Mercury, id: string): Promise<MercuryTransaction> {
  const answer = await mercury.call({ method: "GET", path: `/transaction/${encodeURIComponent(id)}` });
  if (answer.status !== 200) throw new Unreadable(`Mercury answers ${answer.status} for what is returned`);
  return read(transactionSchema, answer);
}

/** Earlier money is part of the balance that was booked when the account was adopted. */
export function isAfterAdoption(
  { depositsAfter, openingIncludes }: Adoption,
  { id, postedAt }: Pick<MercuryTransaction, "id" | "postedAt">,
): boolean {
  return Boolean(postedAt && depositsAfter && postedAt > depositsAfter) && !openingIncludes.includes(id);
}
