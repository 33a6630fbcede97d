import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { type Adoption, readAdoption } from "@/lib/ports/bank/adoption";
import type { BankNotice } from "@/lib/ports/bank/bank-port";
import { findRead, forgetRead, keepNotices, readAfter } from "@/lib/ports/bank/inbox";
import { feedOf } from "@/lib/ports/bank/mercury/adopt-account";
import {
  eventsSchema,
  type Mercury,
  type MercuryEvent,
  type MercuryTransaction,
  read,
  transactionSchema,
} from "@/lib/ports/bank/mercury/call-mercury";
import {
  fateOf,
  isNamedAfter,
  ORDER_COLUMNS,
  type OrderFate,
  readFate,
  readOrder,
  returnCode,
  type StoredOrder,
  setOrder,
  transferNamedIn,
} from "@/lib/ports/bank/mercury/orders";
import { RAIL_OF_KIND } from "@/lib/ports/bank/mercury/rails";

const PAGE = 100;
/** Of one round; the next one continues where it ended. */
const MAXIMUM_PAGES = 10;
/** Mercury has no event for an approval, and asks to space questions out. */
const ASK_APPROVAL_EVERY_MS = 60_000;
/** Beside its events, in case one is missed. */
const ASK_PAYMENT_EVERY_MS = 15 * 60_000;
const ASKED_PER_ROUND = 20;
/** NACHA: the receiving bank has two banking days, and Mercury posts a payment up to a day before it settles. */
const FINAL_AFTER_BANKING_DAYS = 3;

/**
 * Reads new events of the adopted account, oldest first, and asks about open orders from time to time; keeps what the
 * product must book. What cannot be read stops the round, and is read again.
 */
export async function collectNotices(mercury: Mercury, now: Date): Promise<void> {
  const adoption = await readAdoption(mercury.pool, mercury.setting.accountId);
  if (!adoption) return;
  await collectEvents(mercury, adoption);
  await askOpenOrders(mercury, adoption, now);
}

async function collectEvents(mercury: Mercury, adoption: Adoption): Promise<void> {
  const feed = feedOf(mercury.setting);
  const start = await readAfter(mercury.pool, feed);
  let after = start?.id ?? null;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const query = new URLSearchParams({
      resourceType: "transaction",
      order: "asc",
      limit: String(PAGE),
      ...(after ? { start_after: after } : {}),
    });
    const { events } = read(eventsSchema, await mercury.call({ method: "GET", path: `/events?${query}` }));
    const ids = events.map((event) => event.id);
    const known = await findRead(mercury.pool, feed, ids);
    const seen = new Map<string, BankNotice[]>();
    for (const event of events) {
      if (known.has(event.id)) continue;
      // One look answers all events of a transaction in this page: they only say where to look.
      const notices = seen.get(event.resourceId) ?? (await learn(mercury, adoption, event));
      seen.set(event.resourceId, notices);
      await keepNotices(mercury.pool, { feed, id: event.id, createdAt: event.occurredAt }, notices);
    }
    after = ids.at(-1) ?? null;
    if (events.length < PAGE) break;
  }
  if (start) await forgetRead(mercury.pool, feed, new Date(start.createdAt));
}

async function learn(mercury: Mercury, adoption: Adoption, event: MercuryEvent): Promise<BankNotice[]> {
  const path = `/transaction/${encodeURIComponent(event.resourceId)}`;
  const answer = await mercury.call({ method: "GET", path });
  // Deleted since, or of an account that the token may not read.
  if (answer.status === 404) return [];
  const transaction = read(transactionSchema, answer);
  // Events are of all accounts of the business.
  if (transaction.accountId !== mercury.setting.accountId) return [];
  const order = await findOrderOf(mercury, adoption, transaction);
  if (order) return await applyFate(mercury, order, fateOf(transaction), event.occurredAt);
  const original = await findReturned(mercury, adoption, transaction);
  // The money of a failed payment comes back as a transaction of its own; the payment itself says that it failed.
  if (original === "ORDER") return [];
  if (original) return [depositReturn(adoption, { ...original, at: event.occurredAt })];
  return learnOfDeposit(adoption, transaction, event.occurredAt);
}

/** The order that became this transaction; null: it was made elsewhere, and the statement shows it. */
async function findOrderOf(
  { pool }: Mercury,
  { organizationId }: Adoption,
  transaction: MercuryTransaction,
): Promise<StoredOrder | null> {
  if (transaction.amount >= 0) return null;
  const { rows } = await pool.query<StoredOrder>({
    name: "find_order_of_mercury_transaction",
    text: `select ${ORDER_COLUMNS} from mercury_orders
            where organization_id = $1 and (transaction_id = $2 or request_id = $3) limit 1`,
    values: [organizationId, transaction.id, transaction.requestId ?? null],
  });
  if (rows[0]) return rows[0];
  const transferId = transferNamedIn(transaction);
  const named = transferId && (await readOrder(pool, { organizationId, transferId }));
  return named && named.transactionId === null && isNamedAfter(transaction, named) ? named : null;
}

/** Whose money a transaction returns: that of an order, of a deposit, or null. */
async function findReturned(
  { pool }: Mercury,
  adoption: Adoption,
  transaction: MercuryTransaction,
): Promise<"ORDER" | { depositId: string; code: string } | null> {
  // How the kinds of relation are used is not documented, only their names.
  const origin = transaction.relatedTransactions.find(({ relationKind }) =>
    ["PaymentRefundToFailedPayment", "ReturnToOriginalTransaction"].includes(relationKind),
  );
  if (!origin) return null;
  const { rowCount } = await pool.query({
    name: "is_mercury_transaction_of_order",
    text: "select 1 from mercury_orders where organization_id = $1 and transaction_id = $2 limit 1",
    values: [adoption.organizationId, origin.id],
  });
  if (rowCount === 1) return "ORDER";
  if (transaction.amount >= 0 || !(await isDeposit(pool, adoption, origin.id))) return null;
  return { depositId: origin.id, code: returnCode(transaction) };
}

/** Whether this transaction was reported as a deposit. */
async function isDeposit(
  pool: Mercury["pool"],
  { organizationId }: Adoption,
  transactionId: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is_mercury_deposit",
    text: "select 1 from bank_inbox where organization_id = $1 and notice_reference = $2",
    values: [organizationId, `${transactionId}:deposited`],
  });
  return rowCount === 1;
}

/** Money that arrived since the account was adopted, and its return. All other money out is on the statement alone. */
function learnOfDeposit(adoption: Adoption, transaction: MercuryTransaction, noticedAt: Date): BankNotice[] {
  const { organizationId, incomeAccountId, depositsAfter } = adoption;
  const { id, amount, postedAt, status } = transaction;
  if (amount <= 0 || !postedAt || !incomeAccountId || !depositsAfter || postedAt <= depositsAfter) return [];
  const isBack = status === "failed" || status === "reversed";
  if (status !== "sent" && !isBack) return [];
  const deposited: BankNotice = {
    kind: "DEPOSITED",
    organizationId,
    noticeReference: `${id}:deposited`,
    occurredAt: postedAt,
    depositReference: id,
    accountId: incomeAccountId,
    amountInCents: amount,
    rail: RAIL_OF_KIND[transaction.kind] ?? "BOOK",
    payerName: transaction.counterpartyName.slice(0, 200) || "Unknown",
  };
  if (!isBack) return [deposited];
  const at = transaction.failedAt ?? noticedAt;
  return [deposited, depositReturn(adoption, { depositId: id, code: returnCode(transaction), at })];
}

function depositReturn(
  { organizationId }: Adoption,
  { depositId, code, at }: { depositId: string; code: string; at: Date },
): BankNotice {
  return {
    kind: "DEPOSIT_RETURNED",
    organizationId,
    noticeReference: `${depositId}:returned`,
    occurredAt: at,
    depositReference: depositId,
    code,
  };
}

/** Asks about orders that no event tells of: those that wait for approval, and all others now and then. */
async function askOpenOrders(mercury: Mercury, { organizationId }: Adoption, now: Date): Promise<void> {
  const { rows } = await mercury.pool.query<StoredOrder>({
    name: "list_open_mercury_orders",
    text: `update mercury_orders set asked_at = $3
            where organization_id = $1 and bank_account = $2 and transfer_id in (
              select transfer_id from mercury_orders
               where organization_id = $1 and bank_account = $2 and ended_at is null and expected_at is not null
                 and coalesce(asked_at, tried_at) <= case when transaction_id is null then $4 else $5 end::timestamptz
               order by coalesce(asked_at, tried_at) limit ${ASKED_PER_ROUND})
           returning ${ORDER_COLUMNS}`,
    values: [
      organizationId,
      mercury.setting.accountId,
      now,
      new Date(now.getTime() - ASK_APPROVAL_EVERY_MS),
      new Date(now.getTime() - ASK_PAYMENT_EVERY_MS),
    ],
  });
  for (const order of rows) {
    const fate = await readFate(mercury, order);
    const notices = await applyFate(mercury, order, fate, now);
    await keepNotices(mercury.pool, null, notices);
    // Only now: nothing else tells of an approval that was refused.
    if (notices.some((notice) => isOver(notice, now))) await endOrder(mercury, order, now);
  }
}

/** A settled payment may come back until it is final, and is asked about until then. */
const isOver = (notice: BankNotice, now: Date) =>
  notice.kind === "RETURNED" ||
  (notice.kind === "SETTLED" && notice.finalAt !== null && notice.finalAt < now);

/** What an order's fate means for the product. Repeated, it says the same under the same references. */
async function applyFate(
  mercury: Mercury,
  order: StoredOrder,
  { state, code, bankWords, transaction }: OrderFate,
  noticedAt: Date,
): Promise<BankNotice[]> {
  if (transaction) await setOrder(mercury.pool, order, { transactionId: transaction.id });
  if (state === "PENDING") return [];
  const { organizationId, transferId } = order;
  const reference = order.requestId ?? order.transactionId ?? transferId;
  if (state === "SETTLED") {
    const occurredAt = transaction?.postedAt ?? noticedAt;
    const finalOn = addBankingDays(bankingDateOf(occurredAt), FINAL_AFTER_BANKING_DAYS);
    const finalAt = bankingInstant(finalOn, "08:30");
    return [
      {
        kind: "SETTLED",
        organizationId,
        transferId,
        noticeReference: `${reference}:settled`,
        occurredAt,
        code: null,
        rail: "ACH",
        feeInCents: 0,
        finalAt,
        availableAt: null,
      },
    ];
  }
  const occurredAt = transaction?.failedAt ?? noticedAt;
  return [
    {
      kind: "RETURNED",
      organizationId,
      transferId,
      noticeReference: `${reference}:returned`,
      occurredAt,
      code,
      ...(bankWords && { bankWords }),
    },
  ];
}

/** No longer asked about; an event still tells. */
async function endOrder({ pool }: Mercury, order: StoredOrder, at: Date): Promise<void> {
  await pool.query({
    name: "end_mercury_order",
    text: `update mercury_orders set ended_at = $3
            where organization_id = $1 and transfer_id = $2 and ended_at is null`,
    values: [order.organizationId, order.transferId, at],
  });
}
