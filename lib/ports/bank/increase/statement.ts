import Increase from "increase";
import type { Pool } from "pg";
import { z } from "zod";
import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { BankStatementLine, BankStatementPage } from "@/lib/ports/bank/bank-port";
import { reached } from "@/lib/ports/bank/increase/errors";
import { transferOf } from "@/lib/ports/bank/increase/orders";
import { cursorOf } from "@/lib/ports/bank/increase/read-field";
import { isBankAmount, isBankTime } from "@/lib/ports/bank/keepable";
import { Strikes } from "@/lib/ports/bank/unread";

/** Of an object of Increase's; kept, compared and asked for as it is. */
const idSchema = z.string().regex(/^[!-~]{1,200}$/);

interface Reader {
  client: Increase;
  pool: Pool;
  organizationId: string;
  /** Of the organization: the one on which money arrives, and those of pods. */
  accountIds: readonly string[];
}

/**
 * A page of one account's transactions, each page newest first as Increase lists them, its lines oldest first. Moves
 * between these accounts are left out: the bank books both sides of one at once, and they add up to nothing.
 *
 * The cursor is `<account> <Increase's own>`: every transaction is listed once, and one that comes meanwhile moves none.
 */
export async function readStatement(
  reader: Reader,
  input: { from: Date; cursor: string | null; limit: number },
): Promise<BankStatementPage> {
  const { client, accountIds } = reader;
  const [cursorAccount = "", ...rest] = input.cursor?.split(" ") ?? [];
  const cursor = rest.join(" ");
  const place = input.cursor === null ? 0 : accountIds.indexOf(cursorAccount);
  const accountId = accountIds[place];
  if (accountId === undefined) return { lines: [], nextCursor: null };
  const listed = await client.transactions.list({
    account_id: accountId,
    created_at: { on_or_after: input.from.toISOString() },
    limit: input.limit,
    ...(cursor ? { cursor } : {}),
  });
  const transactions = listed.data.filter(isReadable).reverse();
  const strikes = new Strikes(() => reached(() => client.accounts.balance(accountId)));
  const own = await ownAccountsAmong(reader, strikes, transactions);
  const isShown = ({ source: { account_transfer_intention: move } }: Increase.Transaction) => {
    if (!move) return true;
    const sides = [move.source_account_id, move.destination_account_id].map((id) => own.get(id));
    return sides.includes(false) && !sides.includes(undefined);
  };
  const shown = transactions.filter(isShown);
  const known = await readKnown(reader, shown);
  const lines: BankStatementLine[] = [];
  for (const transaction of shown) {
    const line = await strikes.ask(() => reached(() => toLine(client, known, transaction)));
    if (line) lines.push(line);
  }
  const next = cursorOf(listed);
  const isEnd = next === null || listed.data.length < input.limit || next === cursor;
  const nextAccount = isEnd ? accountIds[place + 1] : accountId;
  return { lines, nextCursor: nextAccount === undefined ? null : `${nextAccount} ${isEnd ? "" : next}` };
}

const readableSchema = z.object({
  id: idSchema,
  amount: z.int().refine((amount) => amount !== 0 && isBankAmount(amount)),
  created_at: z.iso.datetime({ offset: true }).refine((text) => isBankTime(new Date(text))),
  source: z.looseObject({}),
});

/** One without an id, an amount or a time cannot be a line: the sum then shows that something is missing. */
function isReadable(transaction: Increase.Transaction | null): transaction is Increase.Transaction {
  return readableSchema.safeParse(transaction).success;
}

/**
 * Whether accounts are the organization's, with those that money went to or came from: a pod's account may have been opened
 * since these were listed. One that does not answer is not among them.
 */
async function ownAccountsAmong(
  { client, accountIds, organizationId }: Reader,
  strikes: Strikes,
  transactions: readonly Increase.Transaction[],
): Promise<ReadonlyMap<string, boolean>> {
  const own = new Map(accountIds.map((id) => [id, true]));
  const others = transactions.flatMap(({ source: { account_transfer_intention: move } }) =>
    move ? [move.source_account_id, move.destination_account_id] : [],
  );
  for (const id of new Set(others)) {
    if (own.has(id)) continue;
    const retrieve = (named: string) => client.accounts.retrieve(named);
    const account = await strikes.ask(() => reached(() => readable(id, retrieve)));
    if (account === undefined) continue;
    const isOwn = account?.idempotency_key?.startsWith(`sluice-account:${organizationId}:`) ?? false;
    own.set(id, isOwn);
  }
  return own;
}

/** What the notices of these objects said: nothing more is asked about them. By Increase's id. */
interface Known {
  transferIds: ReadonlyMap<string, string>;
  depositReferences: ReadonlyMap<string, string>;
}

async function readKnown(
  { pool, organizationId }: Reader,
  transactions: readonly Increase.Transaction[],
): Promise<Known> {
  const ids = transactions.flatMap(({ source }) => [
    source.ach_transfer_intention?.transfer_id ?? [],
    (source.ach_transfer_return ?? source.ach_transfer_rejection)?.transfer_id ?? [],
    source.inbound_ach_transfer_return_intention?.inbound_ach_transfer_id ?? [],
    source.inbound_wire_transfer_reversal?.inbound_wire_transfer_id ?? [],
    source.check_deposit_return?.check_deposit_id ?? [],
  ]);
  // What cannot be an id is looked up nowhere: PostgreSQL would refuse the whole page with it.
  const wanted = ids.flat().filter((id) => idSchema.safeParse(id).success);
  const { rows } = await pool.query<{
    objectId: string;
    transferId: string | null;
    depositReference: string | null;
  }>({
    name: "list_notices_of_increase_objects",
    text: `select split_part(notice_reference, ':', 1) as "objectId", notice ->> 'transferId' as "transferId",
               notice ->> 'depositReference' as "depositReference"
             from bank_inbox where organization_id = $1 and notice_reference = any ($2)`,
    values: [organizationId, wanted.flatMap((id) => [`${id}:settled`, `${id}:returned`, `${id}:accepted`])],
  });
  return {
    transferIds: new Map(rows.flatMap((row) => (row.transferId ? [[row.objectId, row.transferId]] : []))),
    depositReferences: new Map(
      rows.flatMap((row) => (row.depositReference ? [[row.objectId, row.depositReference]] : [])),
    ),
  };
}

/** Null for an object that Increase does not show, or does not name: its line then names nothing, and delays no other. */
async function readable<T>(id: unknown, ask: (id: string) => Promise<T>): Promise<T | null> {
  const named = idSchema.safeParse(id);
  if (!named.success) return null;
  try {
    return await ask(named.data);
  } catch (error) {
    const isRefused =
      error instanceof Increase.APIError &&
      (error.status === 404 || error.status === 400 || error.status === 410);
    if (!isRefused) throw error;
    return null;
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

async function toLine(
  client: Increase,
  known: Known,
  transaction: Increase.Transaction,
): Promise<BankStatementLine> {
  return {
    lineReference: transaction.id,
    bookedAt: new Date(transaction.created_at),
    amountInCents: transaction.amount,
    transferId: null,
    depositReference: null,
    rail: RAIL[transaction.source.category] ?? null,
    description: typeof transaction.description === "string" ? transaction.description : "",
    ...(await causeOf(client, known, transaction)),
  };
}

type Cause = Pick<BankStatementLine, "kind"> &
  Partial<Pick<BankStatementLine, "transferId" | "depositReference">>;

async function causeOf(client: Increase, known: Known, { id, source }: Increase.Transaction): Promise<Cause> {
  const sent = source.ach_transfer_intention;
  if (sent) return await orderOf(client, known, { kind: "ORDER", achTransferId: sent.transfer_id });
  const back = source.ach_transfer_return ?? source.ach_transfer_rejection;
  if (back) return await orderOf(client, known, { kind: "ORDER_RETURN", achTransferId: back.transfer_id });
  if (
    source.inbound_ach_transfer ||
    source.inbound_wire_transfer ||
    source.inbound_real_time_payments_transfer_confirmation ||
    source.inbound_fednow_transfer_confirmation ||
    source.check_deposit_acceptance
  ) {
    return { kind: "DEPOSIT", depositReference: id };
  }
  const returned = await returnedDepositOf(client, known, source);
  if (returned !== undefined) return { kind: "DEPOSIT_RETURN", depositReference: returned };
  if (source.category === "fee_payment") return { kind: "FEE" };
  if (source.category === "interest_payment") return { kind: "INTEREST" };
  return { kind: "OTHER" };
}

/** The reference of the deposit that a transaction takes back; undefined: it takes none back. */
async function returnedDepositOf(
  client: Increase,
  known: Known,
  source: Increase.Transaction.Source,
): Promise<string | null | undefined> {
  const knownOr = async (objectId: string, ask: (id: string) => Promise<unknown>) =>
    known.depositReferences.get(objectId) ?? idSchema.safeParse(await readable(objectId, ask)).data ?? null;
  const taken = source.inbound_ach_transfer_return_intention?.inbound_ach_transfer_id;
  if (taken) {
    return await knownOr(
      taken,
      async (id) => (await client.inboundACHTransfers.retrieve(id)).acceptance?.transaction_id,
    );
  }
  const reversed = source.inbound_wire_transfer_reversal?.inbound_wire_transfer_id;
  if (reversed) {
    return await knownOr(
      reversed,
      async (id) => (await client.inboundWireTransfers.retrieve(id)).acceptance?.transaction_id,
    );
  }
  const unpaid = source.check_deposit_return?.check_deposit_id;
  if (!unpaid) return undefined;
  return await knownOr(unpaid, async (id) => (await client.checkDeposits.retrieve(id)).transaction_id);
}

/**
 * The idempotency key of an order is the transfer's id. One that was made elsewhere is not Sluice's, and a member books it;
 * one that cannot be read may be.
 */
async function orderOf(
  client: Increase,
  known: Known,
  { kind, achTransferId }: { kind: "ORDER" | "ORDER_RETURN"; achTransferId: string },
): Promise<Cause> {
  const noticed = known.transferIds.get(achTransferId);
  if (noticed) return { kind, transferId: noticed };
  const transfer = await readable(achTransferId, (id) => client.achTransfers.retrieve(id));
  // An answer that does not say must not pass for that of someone else.
  if (transfer?.idempotency_key === undefined) return { kind, transferId: null };
  const transferId = transferOf(transfer);
  return transferId === null ? { kind: "OTHER" } : { kind, transferId };
}
