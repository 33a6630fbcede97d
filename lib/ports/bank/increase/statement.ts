import type Increase from "increase";
import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { BankStatementLine, BankStatementPage } from "@/lib/ports/bank/bank-port";

const PAGE = 100;
const MAXIMUM_PAGES = 100;

/**
 * Increase lists transactions newest first and of one account, so a period is read as a whole and put in order. Moves
 * between these accounts are left out: the bank books both sides of one at once, and they add up to nothing.
 * @throws RangeError if the period has more transactions than are read at once: ask for a shorter one
 */
export async function readStatement(
  client: Increase,
  accountIds: readonly string[],
  input: { organizationId: string; from: Date; cursor: string | null; limit: number },
): Promise<BankStatementPage> {
  const all: Increase.Transaction[] = [];
  for (const accountId of accountIds) all.push(...(await readTransactions(client, accountId, input)));
  const own = await ownAccountsAmong(client, accountIds, all, input.organizationId);
  const isInside = ({ source: { account_transfer_intention: move } }: Increase.Transaction) =>
    move && own.has(move.source_account_id) && own.has(move.destination_account_id);
  const oldestFirst = all
    .filter((transaction) => !isInside(transaction))
    // Of one account they are in order, which a stable sort keeps within one moment.
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  const start = input.cursor === null ? 0 : oldestFirst.findIndex(({ id }) => id === input.cursor) + 1;
  const page = oldestFirst.slice(start, start + input.limit);
  const isLast = start + input.limit >= oldestFirst.length;
  const lines: BankStatementLine[] = [];
  for (const transaction of page) lines.push(await toLine(client, transaction));
  return { lines, nextCursor: isLast ? null : (page.at(-1)?.id ?? null) };
}

/** With those that money went to or came from: a pod's account may have been opened since these were listed. */
async function ownAccountsAmong(
  client: Increase,
  accountIds: readonly string[],
  transactions: readonly Increase.Transaction[],
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const own = new Set(accountIds);
  const others = transactions.flatMap(({ source: { account_transfer_intention: move } }) =>
    move ? [move.source_account_id, move.destination_account_id] : [],
  );
  for (const id of new Set(others)) {
    if (own.has(id)) continue;
    const { idempotency_key: key } = await client.accounts.retrieve(id);
    if (key?.startsWith(`sluice-account:${organizationId}:`)) own.add(id);
  }
  return own;
}

/** Oldest first. */
async function readTransactions(
  client: Increase,
  accountId: string,
  input: { from: Date },
): Promise<Increase.Transaction[]> {
  const all: Increase.Transaction[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    if (page === MAXIMUM_PAGES) throw new RangeError("The period has too many lines. Ask for a shorter one.");
    const listed: { data: Increase.Transaction[]; next_cursor: string | null } =
      await client.transactions.list({
        account_id: accountId,
        created_at: { on_or_after: input.from.toISOString() },
        limit: PAGE,
        ...(cursor ? { cursor } : {}),
      });
    all.push(...listed.data);
    cursor = listed.next_cursor;
    if (cursor === null) return all.reverse();
  }
}

/** Categories that name no rail are left out: cards, fees, interest, corrections. */
const RAIL: Partial<Record<Increase.Transaction.Source["category"], BankRail>> = {
  account_transfer_intention: "BOOK",
  ach_transfer_intention: "ACH",
  ach_transfer_rejection: "ACH",
  ach_transfer_return: "ACH",
  check_deposit_acceptance: "CHECK",
  check_deposit_return: "CHECK",
  check_transfer_deposit: "CHECK",
  fednow_transfer_acknowledgement: "INSTANT",
  inbound_ach_transfer: "ACH",
  inbound_ach_transfer_return_intention: "ACH",
  inbound_check_adjustment: "CHECK",
  inbound_check_deposit_return_intention: "CHECK",
  inbound_fednow_transfer_confirmation: "INSTANT",
  inbound_real_time_payments_transfer_confirmation: "INSTANT",
  inbound_wire_reversal: "WIRE",
  inbound_wire_transfer: "WIRE",
  inbound_wire_transfer_reversal: "WIRE",
  real_time_payments_transfer_acknowledgement: "INSTANT",
  swift_transfer_intention: "WIRE",
  swift_transfer_return: "WIRE",
  wire_transfer_intention: "WIRE",
};

async function toLine(client: Increase, transaction: Increase.Transaction): Promise<BankStatementLine> {
  return {
    lineReference: transaction.id,
    bookedAt: new Date(transaction.created_at),
    amountInCents: transaction.amount,
    transferId: null,
    depositReference: null,
    rail: RAIL[transaction.source.category] ?? null,
    description: transaction.description,
    ...(await causeOf(client, transaction)),
  };
}

type Cause = Pick<BankStatementLine, "kind"> &
  Partial<Pick<BankStatementLine, "transferId" | "depositReference">>;

async function causeOf(client: Increase, { id, source }: Increase.Transaction): Promise<Cause> {
  const sent = source.ach_transfer_intention;
  if (sent) return { kind: "ORDER", transferId: await transferIdOf(client, sent.transfer_id) };
  const back = source.ach_transfer_return ?? source.ach_transfer_rejection;
  if (back) return { kind: "ORDER_RETURN", transferId: await transferIdOf(client, back.transfer_id) };
  if (
    source.inbound_ach_transfer ||
    source.inbound_wire_transfer ||
    source.inbound_real_time_payments_transfer_confirmation ||
    source.inbound_fednow_transfer_confirmation ||
    source.check_deposit_acceptance
  ) {
    return { kind: "DEPOSIT", depositReference: id };
  }
  const taken = source.inbound_ach_transfer_return_intention;
  if (taken) {
    const deposit = await client.inboundACHTransfers.retrieve(taken.inbound_ach_transfer_id);
    return { kind: "DEPOSIT_RETURN", depositReference: deposit.acceptance?.transaction_id ?? null };
  }
  const reversed = source.inbound_wire_transfer_reversal;
  if (reversed) {
    const deposit = await client.inboundWireTransfers.retrieve(reversed.inbound_wire_transfer_id);
    return { kind: "DEPOSIT_RETURN", depositReference: deposit.acceptance?.transaction_id ?? null };
  }
  const unpaid = source.check_deposit_return;
  if (unpaid) {
    const deposit = await client.checkDeposits.retrieve(unpaid.check_deposit_id);
    return { kind: "DEPOSIT_RETURN", depositReference: deposit.transaction_id };
  }
  if (source.category === "fee_payment") return { kind: "FEE" };
  if (source.category === "interest_payment") return { kind: "INTEREST" };
  return { kind: "OTHER" };
}

/** The idempotency key of an order is the transfer's id; orders made elsewhere have none of ours. */
async function transferIdOf(client: Increase, achTransferId: string): Promise<string | null> {
  const { idempotency_key: key } = await client.achTransfers.retrieve(achTransferId);
  return key !== null && /^[0-9a-f-]{36}$/.test(key) ? key : null;
}
