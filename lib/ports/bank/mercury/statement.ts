import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { BankStatementLine, BankStatementPage } from "@/lib/ports/bank/bank-port";
import type { Mercury, MercuryTransaction } from "@/lib/ports/bank/mercury/call-mercury";
import { listTransactions } from "@/lib/ports/bank/mercury/lists";
import { RAIL_OF_KIND } from "@/lib/ports/bank/mercury/rails";

/**
 * What Mercury has posted, oldest first. Mercury lists by creation, so a period is read as a whole and sorted.
 * @throws RangeError if the period has more transactions than are read at once: ask for a shorter one
 */
export async function readStatement(
  mercury: Mercury,
  input: { organizationId: string; from: Date; cursor: string | null; limit: number },
): Promise<BankStatementPage> {
  const listed = await listTransactions(mercury, { postedSince: input.from });
  const posted = listed
    .filter(isPosted)
    .filter(({ postedAt }) => postedAt >= input.from)
    .toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime() || (a.id < b.id ? -1 : 1));
  const start = input.cursor === null ? 0 : posted.findIndex(({ id }) => id === input.cursor) + 1;
  const page = posted.slice(start, start + input.limit);
  const isLast = start + input.limit >= posted.length;
  const orders = await readOrders(mercury, input.organizationId, page);
  return {
    lines: page.map((transaction) => toLine(transaction, orders)),
    nextCursor: isLast ? null : (page.at(-1)?.id ?? null),
  };
}

type Posted = MercuryTransaction & { postedAt: Date };

const isPosted = (transaction: MercuryTransaction): transaction is Posted =>
  Boolean(transaction.postedAt) && transaction.amount !== 0;

/** The transfers behind transactions, and behind those that they return. */
async function readOrders(
  { pool }: Mercury,
  organizationId: string,
  page: readonly Posted[],
): Promise<Map<string, string>> {
  const ids = page.flatMap(({ id, relatedTransactions }) => [
    id,
    ...relatedTransactions.map((one) => one.id),
  ]);
  const { rows } = await pool.query<{ transaction_id: string; transfer_id: string }>({
    name: "list_orders_of_mercury_transactions",
    text: `select transaction_id, transfer_id from mercury_orders
            where organization_id = $1 and transaction_id = any ($2)`,
    values: [organizationId, ids],
  });
  return new Map(rows.map((row) => [row.transaction_id, row.transfer_id]));
}

function toLine(transaction: Posted, orders: ReadonlyMap<string, string>): BankStatementLine {
  return {
    lineReference: transaction.id,
    bookedAt: transaction.postedAt,
    amountInCents: transaction.amount,
    transferId: null,
    depositReference: null,
    rail: railOf(transaction, orders),
    description: transaction.bankDescription ?? transaction.counterpartyName ?? transaction.kind,
    ...causeOf(transaction, orders),
  };
}

/** Orders go out by ACH; of other payments out, Mercury does not say how they travel. */
function railOf(
  { id, kind, relatedTransactions }: Posted,
  orders: ReadonlyMap<string, string>,
): BankRail | null {
  const isOfOrder = orders.has(id) || relatedTransactions.some((related) => orders.has(related.id));
  return isOfOrder ? "ACH" : (RAIL_OF_KIND[kind] ?? null);
}

type Cause = Pick<BankStatementLine, "kind"> &
  Partial<Pick<BankStatementLine, "transferId" | "depositReference">>;

function causeOf(
  { id, amount, kind, relatedTransactions }: Posted,
  orders: ReadonlyMap<string, string>,
): Cause {
  const transferId = orders.get(id);
  if (transferId) return { kind: "ORDER", transferId };
  const origin = relatedTransactions.find(({ relationKind }) =>
    ["PaymentRefundToFailedPayment", "ReturnToOriginalTransaction"].includes(relationKind),
  );
  const returned = origin && orders.get(origin.id);
  if (returned) return { kind: "ORDER_RETURN", transferId: returned };
  if (origin && amount < 0) return { kind: "DEPOSIT_RETURN", depositReference: origin.id };
  if (/fee/i.test(kind)) return { kind: "FEE" };
  if (kind === "interestPayment") return { kind: "INTEREST" };
  return amount > 0 ? { kind: "DEPOSIT", depositReference: id } : { kind: "OTHER" };
}
