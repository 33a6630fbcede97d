import type { Pool } from "pg";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { BANK_REFUSALS, type BankRefusal } from "@/lib/contract/transfer";
import { readAdoption } from "@/lib/ports/bank/adoption";
import {
  type BankAnswer,
  type BankOrder,
  BankOrderConflict,
  type BankOrderState,
  BankSearchIncomplete,
  BankUnavailable,
  type ExpectedOrder,
} from "@/lib/ports/bank/bank-port";
import { bankWords } from "@/lib/ports/bank/bank-words";
import { adoptAccount } from "@/lib/ports/bank/mercury/adopt-account";
import {
  approvalSchema,
  type Mercury,
  type MercuryAnswer,
  type MercuryApproval,
  type MercurySetting,
  type MercuryTransaction,
  read,
  transactionSchema,
  wordsOf,
} from "@/lib/ports/bank/mercury/call-mercury";
import { dollarsOf } from "@/lib/ports/bank/mercury/dollars";
import {
  type Listed,
  listApprovals,
  listTransactions,
  listTransactionsOf,
} from "@/lib/ports/bank/mercury/lists";

/** An order as it was written before it was sent, and what Mercury made of it. */
export interface StoredOrder {
  organizationId: string;
  transferId: string;
  recipientId: string;
  amountInCents: number;
  triedAt: Date;
  /** Of the approval request. */
  requestId: string | null;
  transactionId: string | null;
  /** Null: no answer yet. */
  expectedAt: Date | null;
  refusedCode: BankRefusal | null;
}

/** Documented for 24 hours; an hour more, for clocks that differ. */
const ALIKE_MS = 25 * 3_600_000;
/** Mercury names no cut-off. A payment that is approved at once settles about a banking day later. */
const POSTING_TIME = "08:30";
/** Beside the idempotency key, which neither an approval request nor a transaction repeats. */
const noteOf = (transferId: string) => `Sluice transfer ${transferId}`;

export const ORDER_COLUMNS = `organization_id as "organizationId", transfer_id as "transferId",
  recipient_id as "recipientId", amount_in_cents as "amountInCents", tried_at as "triedAt", request_id as "requestId",
  transaction_id as "transactionId", expected_at as "expectedAt", refused_code as "refusedCode"`;

/** See BankPort.submit. Only the first of several answers counts; it is kept with the order. */
export async function submitOrder(
  mercury: Mercury,
  order: BankOrder,
  businessNow: Date,
): Promise<BankAnswer> {
  const { bankReference: recipientId } = order.outsideAccount;
  if (recipientId === null) return refusal("NOT_REGISTERED");
  const before = await readOrder(mercury.pool, order);
  if (order.direction === "DEBIT") {
    if (before) throw new BankOrderConflict(order.transferId);
    return refusal("CANNOT_PULL");
  }
  if (!(await adoptAccount(mercury, order.organizationId))) return refusal("ACCOUNT_TAKEN");
  const { stored, isNew: isFirst } = before
    ? { stored: before, isNew: false }
    : await keepOrder(mercury, { ...order, recipientId }, businessNow);
  if (stored.recipientId !== recipientId || stored.amountInCents !== order.amountInCents) {
    throw new BankOrderConflict(order.transferId);
  }
  const known = firstAnswer(stored);
  if (known) return known;
  const answer = await mercury.call({
    method: "POST",
    path: sendPath(mercury.setting),
    body: bodyOf(order, recipientId),
  });
  if (answer.status === 404) throw new BankUnavailable("Mercury could not be reached (404)");
  if (answer.status === 400) return await refused(mercury, stored, { answer, isFirst, businessNow });
  const made = readMade(answer) ?? (await findMade(mercury, stored, businessNow, isAlike(stored)));
  if (!made) throw new BankUnavailable("Mercury knows this order, and does not say as what");
  requireSame(made, stored);
  return await recordAnswer(mercury, stored, made);
}

const sendPath = ({ accountId, send }: MercurySetting) =>
  `/account/${accountId}/${send === "DIRECT" ? "transactions" : "request-send-money"}`;

/** The amount is written as text, since a float may not hold it. */
function bodyOf(order: BankOrder, recipientId: string): string {
  const rest = JSON.stringify({
    recipientId,
    paymentMethod: "ach",
    idempotencyKey: order.transferId,
    note: noteOf(order.transferId),
    ...(order.label ? { externalMemo: order.label.slice(0, 80) } : {}),
  });
  return `{"amount":${dollarsOf(order.amountInCents)},${rest.slice(1)}`;
}

/** An approval request or, sent directly, a transaction. */
type Made = { approval: MercuryApproval } | { transaction: MercuryTransaction };

/**
 * What a send has made. 409 repeats what the same key made before; documented for transactions only, so it is read
 * whichever it is, and looked for when it is neither.
 */
function readMade({ body }: MercuryAnswer): Made | null {
  const approval = approvalSchema.safeParse(body).data;
  if (approval) return { approval };
  const transaction = transactionSchema.safeParse(body).data;
  return transaction ? { transaction } : null;
}

/** The same key with other details must not pass for this order. */
function requireSame(made: Made, stored: StoredOrder): void {
  const isSame =
    "approval" in made
      ? made.approval.amount === stored.amountInCents && made.approval.recipientId === stored.recipientId
      : made.transaction.amount === -stored.amountInCents &&
        (made.transaction.counterpartyId ?? stored.recipientId) === stored.recipientId;
  if (!isSame) throw new BankOrderConflict(stored.transferId);
}

/** Mercury's 400 took nothing, unless an earlier attempt was taken: that may be why it refuses this one. */
async function refused(
  mercury: Mercury,
  stored: StoredOrder,
  { answer, isFirst, businessNow }: { answer: MercuryAnswer; isFirst: boolean; businessNow: Date },
): Promise<BankAnswer> {
  if (!isFirst) {
    const made = await findMade(mercury, stored, businessNow, isAlike(stored));
    if (made) return await recordAnswer(mercury, stored, made);
    if (businessNow.getTime() - stored.triedAt.getTime() < ALIKE_MS) {
      throw new BankUnavailable("Mercury refuses an order that it may have taken before");
    }
  }
  const isDuplicate = isOfDuplicate(answer) || (await hasAlike(mercury.pool, stored));
  const code = isDuplicate ? "DUPLICATE" : "NOT_ACCEPTED";
  await setOrder(mercury.pool, stored, { refusedCode: code });
  return { ...refusal(code), bankWords: wordsOf(answer) };
}

const refusal = (code: BankRefusal): BankAnswer & { kind: "REFUSED" } => ({
  kind: "REFUSED",
  code,
  message: `The bank refuses this payment: ${BANK_REFUSALS[code]}`,
});

/** The form of Mercury's errors is not documented; the words are a hint beside what is known here. */
function isOfDuplicate({ body }: MercuryAnswer): boolean {
  return /duplicate|24 ?h/i.test(JSON.stringify(body) ?? "");
}

/** Whether another order with this payee and amount went out in the last day. */
async function hasAlike(pool: Pool, order: StoredOrder): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "has_alike_mercury_order",
    text: `select 1 from mercury_orders
            where organization_id = $1 and recipient_id = $2 and amount_in_cents = $3 and transfer_id <> $4
              and tried_at > $5 and refused_code is null limit 1`,
    values: [
      order.organizationId,
      order.recipientId,
      order.amountInCents,
      order.transferId,
      new Date(order.triedAt.getTime() - ALIKE_MS),
    ],
  });
  return rowCount === 1;
}

/** See BankPort.find. */
export async function findOrder(
  mercury: Mercury,
  input: { organizationId: string; transferId: string; businessNow: Date; expected?: ExpectedOrder },
): Promise<BankOrderState | null> {
  const adoption = await readAdoption(mercury.pool, mercury.setting.accountId);
  if (adoption?.organizationId !== input.organizationId) return null;
  const stored = await readOrder(mercury.pool, input);
  if (stored) requireExpected(stored, input.expected);
  if (stored && (stored.requestId ?? stored.transactionId)) return await stateOf(mercury, stored);
  if (stored?.refusedCode) {
    const expectedSettlementAt = stored.expectedAt ?? settlesAt(stored.triedAt);
    return { reference: stored.transferId, state: "REFUSED", expectedSettlementAt, code: stored.refusedCode };
  }
  // Written before it was sent: without a row this installation never sent it, unless its database was restored.
  const asked = stored ?? { ...input, triedAt: new Date(input.businessNow.getTime() - 30 * 86_400_000) };
  const made = await findMade(mercury, asked, input.businessNow, () => false);
  if (!made) return null;
  if (!stored) requireExpected({ ...input, ...detailsOf(made) }, input.expected);
  const order = stored ?? (await keepFound(mercury, input, made));
  requireSame(made, order);
  await recordAnswer(mercury, order, made);
  return await stateOf(mercury, { ...order, ...idsOf(made) });
}

/** All orders of this bank are pushes. */
function requireExpected(
  order: Pick<StoredOrder, "transferId" | "recipientId" | "amountInCents">,
  expected: ExpectedOrder | undefined,
): void {
  if (!expected) return;
  const isSame =
    expected.direction === "CREDIT" &&
    expected.amountInCents === order.amountInCents &&
    (expected.bankReference ?? order.recipientId) === order.recipientId;
  if (!isSame) throw new BankOrderConflict(order.transferId);
}

/** Looks for what an order made, by the note that names its transfer; see `noteOf`. */
async function findMade(
  mercury: Mercury,
  { transferId, triedAt }: Pick<StoredOrder, "transferId" | "triedAt">,
  businessNow: Date,
  alike: (made: Made) => boolean,
): Promise<Made | null> {
  const since = new Date(Math.min(triedAt.getTime(), businessNow.getTime()) - 3_600_000);
  const asked = { sought: transferId, createdSince: since };
  // Which of the two notes an approval request repeats as its memo is not documented.
  const isNamed = ({ memo }: MercuryApproval) => memo?.includes(transferId) === true;
  const approvals = await searched(listApprovals(mercury, { ...asked, isSought: isNamed }));
  const named = approvals.items.find(isNamed);
  if (named) return { approval: named };
  const isSent = ({ note }: MercuryTransaction) => note?.includes(transferId) === true;
  const transactions = await listTransactions(mercury, { ...asked, isSought: isSent });
  const sent = transactions.items.find(isSent);
  if (sent) return { transaction: sent };
  if (approvals.incomplete) throw approvals.incomplete;
  if (approvals.isHidden || transactions.isHidden) throw hidden();
  const candidates: Made[] = [
    ...approvals.items.map((approval) => ({ approval })),
    ...transactions.items.map((transaction) => ({ transaction })),
  ].filter(alike);
  for (const made of candidates) {
    if (!(await isClaimed(mercury, made))) return made;
  }
  return null;
}

/** A search that reached its bound without the order: the next list may name it. */
async function searched<Item>(
  search: Promise<Listed<Item>>,
): Promise<Listed<Item> & { incomplete: BankSearchIncomplete | null }> {
  try {
    return { ...(await search), incomplete: null };
  } catch (error) {
    if (!(error instanceof BankSearchIncomplete)) throw error;
    return { items: [], isHidden: false, incomplete: error };
  }
}

const hidden = () => new BankUnavailable("Mercury's answer is not as documented for this order");

/** For an order that Mercury says it knows: then one with its payee and amount, and nobody else's, is this one. */
const isAlike = (stored: StoredOrder) => (made: Made) =>
  "approval" in made
    ? made.approval.amount === stored.amountInCents && made.approval.recipientId === stored.recipientId
    : made.transaction.amount === -stored.amountInCents &&
      made.transaction.counterpartyId === stored.recipientId;

async function isClaimed({ pool, setting }: Mercury, made: Made): Promise<boolean> {
  const { requestId, transactionId } = idsOf(made);
  const { rowCount } = await pool.query({
    name: "is_mercury_order_claimed",
    text: `select 1 from mercury_orders
            where organization_id = (select organization_id from adopted_bank_accounts where bank_account = $1)
              and (request_id = $2 or transaction_id = $3) limit 1`,
    values: [setting.accountId, requestId, transactionId],
  });
  return rowCount === 1;
}

function idsOf(made: Made): { requestId: string | null; transactionId: string | null } {
  return "approval" in made
    ? { requestId: made.approval.requestId, transactionId: null }
    : { requestId: made.transaction.requestId ?? null, transactionId: made.transaction.id };
}

/** What became of an order that Mercury has taken. */
async function stateOf(mercury: Mercury, order: StoredOrder): Promise<BankOrderState> {
  const fate = await readFate(mercury, order);
  const expectedSettlementAt = order.expectedAt ?? settlesAt(order.triedAt);
  const reference = order.requestId ?? order.transactionId ?? order.transferId;
  return { reference, state: fate.state, expectedSettlementAt, code: fate.code, bankWords: fate.bankWords };
}

export interface OrderFate {
  state: BankOrderState["state"];
  code: string | null;
  /** Mercury's reason, as in an answer. */
  bankWords?: string | null;
  /** Null while it waits for approval, or was not approved. */
  transaction: MercuryTransaction | null;
}

/** Reads what became of an order from Mercury. */
export async function readFate(mercury: Mercury, order: StoredOrder): Promise<OrderFate> {
  const { transactionId, requestId } = order;
  if (transactionId !== null) {
    const path = `/transaction/${encodeURIComponent(transactionId)}`;
    return fateOf(read(transactionSchema, await mercury.call({ method: "GET", path })));
  }
  if (requestId === null) throw new Error("Only an order that Mercury has taken has a fate");
  const path = `/request-send-money/${encodeURIComponent(requestId)}`;
  const { status } = read(approvalSchema, await mercury.call({ method: "GET", path }));
  if (status === "rejected") return { state: "REFUSED", code: "REJECTED", transaction: null };
  if (status === "cancelled") return { state: "REFUSED", code: "CANCELED", transaction: null };
  if (status !== "approved") return { state: "PENDING", code: null, transaction: null };
  const [transaction] = await listTransactionsOf(mercury, requestId);
  const made = transaction ?? (await findNamed(mercury, order));
  return made ? fateOf(made) : { state: "PENDING", code: null, transaction: null };
}

/** The payment of an approved request, where it does not name its request: by its note. */
async function findNamed(mercury: Mercury, order: StoredOrder): Promise<MercuryTransaction | null> {
  const createdSince = new Date(order.triedAt.getTime() - 3_600_000);
  const isNamed = (transaction: MercuryTransaction) => isNamedAfter(transaction, order);
  const { items, isHidden } = await listTransactions(mercury, {
    sought: order.transferId,
    createdSince,
    isSought: isNamed,
  });
  const named = items.find(isNamed);
  if (!named && isHidden) throw hidden();
  return named ?? null;
}

/** By the note that names the transfer; people can write notes too, so the rest must be the same. */
export function isNamedAfter(transaction: MercuryTransaction, order: StoredOrder): boolean {
  return (
    transaction.note === noteOf(order.transferId) &&
    !transaction.requestId &&
    transaction.amount === -order.amountInCents &&
    (transaction.counterpartyId ?? order.recipientId) === order.recipientId
  );
}

/** The transfer that a note names; null: none. */
export function transferNamedIn({ note }: MercuryTransaction): string | null {
  return /^Sluice transfer ([0-9a-f-]{36})$/.exec(note ?? "")?.[1] ?? null;
}

/** docs/real-money.md, "Mercury". A status that is not documented leaves it pending. */
export function fateOf(transaction: MercuryTransaction): OrderFate {
  switch (transaction.status) {
    case "sent":
      return { state: "SETTLED", code: null, transaction };
    case "cancelled":
      return { state: "REFUSED", code: "CANCELED", transaction };
    case "blocked":
      return {
        state: "REFUSED",
        code: "BLOCKED",
        bankWords: bankWords(transaction.reasonForFailure),
        transaction,
      };
    case "failed":
    case "reversed":
      return {
        state: "RETURNED",
        code: returnCode(transaction),
        bankWords: bankWords(transaction.reasonForFailure),
        transaction,
      };
    default:
      return { state: "PENDING", code: null, transaction };
  }
}

/** NACHA's code, if Mercury's reason names one. */
export function returnCode({ reasonForFailure }: MercuryTransaction): string {
  return /\bR[0-9]{2}\b/.exec(reasonForFailure ?? "")?.[0] ?? "SENT_BACK";
}

function settlesAt(createdAt: Date): Date {
  return bankingInstant(addBankingDays(bankingDateOf(createdAt), 1), POSTING_TIME);
}

function firstAnswer(stored: StoredOrder): BankAnswer | null {
  if (stored.refusedCode !== null) return refusal(stored.refusedCode);
  const reference = stored.requestId ?? stored.transactionId;
  return stored.expectedAt && reference ? accepted(reference, stored.expectedAt) : null;
}

function accepted(reference: string, at: Date): BankAnswer {
  return {
    kind: "ACCEPTED",
    reference,
    expectedSettlementDate: bankingDateOf(at),
    expectedSettlementAt: at,
  };
}

/** Keeps the first answer. One that is over already is refused, unless money has moved: then a notice says so. */
async function recordAnswer(mercury: Mercury, stored: StoredOrder, made: Made): Promise<BankAnswer> {
  const { status, createdAt } = "approval" in made ? made.approval : made.transaction;
  const end = status === "rejected" ? "REJECTED" : status === "cancelled" ? "CANCELED" : null;
  const refusedCode = end ?? (status === "blocked" ? "BLOCKED" : null);
  await setOrder(mercury.pool, stored, { ...idsOf(made), expectedAt: settlesAt(createdAt), refusedCode });
  const after = await readOrder(mercury.pool, stored);
  const answer = after && firstAnswer(after);
  if (!answer) throw new Error("An answer that was kept was not found");
  return answer;
}

async function keepOrder(
  { pool, setting }: Mercury,
  order: Pick<StoredOrder, "organizationId" | "transferId" | "recipientId" | "amountInCents">,
  triedAt: Date,
): Promise<{ stored: StoredOrder; isNew: boolean }> {
  const { rowCount } = await pool.query({
    name: "keep_mercury_order",
    text: `insert into mercury_orders (organization_id, transfer_id, bank_account, recipient_id, amount_in_cents, tried_at)
           values ($1, $2, $3, $4, $5, $6) on conflict (organization_id, transfer_id) do nothing`,
    values: [
      order.organizationId,
      order.transferId,
      setting.accountId,
      order.recipientId,
      order.amountInCents,
      triedAt,
    ],
  });
  const stored = await readOrder(pool, order);
  if (!stored) throw new Error("An order that was kept was not found");
  return { stored, isNew: rowCount === 1 };
}

/** An order of a database that was restored. */
async function keepFound(
  mercury: Mercury,
  input: { organizationId: string; transferId: string },
  made: Made,
): Promise<StoredOrder> {
  const { createdAt } = "approval" in made ? made.approval : made.transaction;
  const { organizationId, transferId } = input;
  return (await keepOrder(mercury, { organizationId, transferId, ...detailsOf(made) }, createdAt)).stored;
}

function detailsOf(made: Made): Pick<StoredOrder, "recipientId" | "amountInCents"> {
  return "approval" in made
    ? { recipientId: made.approval.recipientId, amountInCents: made.approval.amount }
    : { recipientId: made.transaction.counterpartyId ?? "", amountInCents: -made.transaction.amount };
}

async function readOrder(
  pool: Pool,
  { organizationId, transferId }: { organizationId: string; transferId: string },
): Promise<StoredOrder | null> {
  const { rows } = await pool.query<StoredOrder>({
    name: "read_mercury_order",
    text: `select ${ORDER_COLUMNS} from mercury_orders where organization_id = $1 and transfer_id = $2`,
    values: [organizationId, transferId],
  });
  return rows[0] ?? null;
}

/** Fills in what is not known yet; what was written first stays. */
export async function setOrder(
  pool: Pool,
  { organizationId, transferId }: Pick<StoredOrder, "organizationId" | "transferId">,
  changes: Partial<Pick<StoredOrder, "requestId" | "transactionId" | "expectedAt" | "refusedCode">>,
): Promise<void> {
  await pool.query({
    name: "set_mercury_order",
    text: `update mercury_orders
              set request_id = coalesce(request_id, $3), transaction_id = coalesce(transaction_id, $4),
                  refused_code = case when expected_at is null then coalesce(refused_code, $6) else refused_code end,
                  expected_at = coalesce(expected_at, $5)
            where organization_id = $1 and transfer_id = $2`,
    values: [
      organizationId,
      transferId,
      changes.requestId ?? null,
      changes.transactionId ?? null,
      changes.expectedAt ?? null,
      changes.refusedCode ?? null,
    ],
  });
}
