import type Increase from "increase";
import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { BankNotice } from "@/lib/ports/bank/bank-port";
import type { Learned } from "@/lib/ports/bank/event-feed";
import { keyOf, timeIn } from "@/lib/ports/bank/increase/read-field";
import { nameOr } from "@/lib/ports/bank/keepable";
import { asAsked, Unreadable } from "@/lib/ports/bank/unread";

/** Every way in which others send money. */
export const DEPOSIT_CATEGORIES = [
  "inbound_ach_transfer.created",
  "inbound_ach_transfer.updated",
  "inbound_wire_transfer.created",
  "inbound_wire_transfer.updated",
  "inbound_real_time_payments_transfer.created",
  "inbound_real_time_payments_transfer.updated",
  "inbound_fednow_transfer.created",
  "inbound_fednow_transfer.updated",
  "check_deposit.created",
  "check_deposit.updated",
] as const;

/** Money that arrived, whichever way it came. */
interface Arrived {
  id: string;
  rail: BankRail;
  amountInCents: number;
  payerName: string;
  /** When it can be spent. */
  at: Date;
  /** Of Increase's books; its statement line. */
  transactionId: string;
  /** Null: a check, which names only the account. */
  accountNumberId: string | null;
  accountId: string;
  returned: { at: Date; code: string } | null;
  /** It says that it was returned, and not when and why. */
  isReturnMissing: boolean;
}

/**
 * What an event says about a deposit. The object is read again, so the order of events does not matter.
 * @param object its kind as in the event's category: `inbound_ach_transfer`
 */
export async function learnOfDeposit(
  client: Increase,
  object: { kind: string; id: string },
): Promise<Learned> {
  const arrived = await readArrived(client, object);
  const receiver = arrived && (await receiverOf(client, arrived));
  if (!arrived || !receiver) return { notices: [] };
  const depositReference = arrived.transactionId;
  const notices: BankNotice[] = [
    {
      ...receiver,
      kind: "DEPOSITED",
      noticeReference: `${arrived.id}:accepted`,
      occurredAt: arrived.at,
      depositReference,
      amountInCents: arrived.amountInCents,
      rail: arrived.rail,
      payerName: arrived.payerName,
    },
  ];
  if (arrived.returned) {
    const { organizationId } = receiver;
    const noticeReference = `${arrived.id}:returned`;
    const { code, at } = arrived.returned;
    // A check may be returned while it is held: its deposit is booked first, both at the end of the hold.
    const occurredAt = at > arrived.at ? at : arrived.at;
    notices.push({
      kind: "DEPOSIT_RETURNED",
      organizationId,
      noticeReference,
      occurredAt,
      depositReference,
      code,
    });
  }
  if (!arrived.isReturnMissing) return { notices };
  return { notices, failure: new Unreadable("its return is missing", receiver.organizationId) };
}

/** What Increase says has arrived, without saying what: its status alone books nothing, and must not pass for nothing. */
function requireArrived<T>(arrival: T | null | undefined, hasArrived: boolean, field: string): T | null {
  if (arrival) return arrival;
  if (hasArrived) throw new Unreadable(`${field} is missing`);
  return null;
}

/** Null: nothing has arrived, or nothing that Sluice books. */
async function readArrived(
  client: Increase,
  { kind, id }: { kind: string; id: string },
): Promise<Arrived | null> {
  switch (kind) {
    case "inbound_ach_transfer":
      return ofAch(asAsked(id, await client.inboundACHTransfers.retrieve(id)));
    case "inbound_wire_transfer":
      return ofWire(asAsked(id, await client.inboundWireTransfers.retrieve(id)));
    case "inbound_real_time_payments_transfer":
      return ofRealTimePayment(asAsked(id, await client.inboundRealTimePaymentsTransfers.retrieve(id)));
    case "inbound_fednow_transfer":
      return ofFednow(asAsked(id, await client.inboundFednowTransfers.retrieve(id)));
    case "check_deposit":
      return ofCheck(asAsked(id, await client.checkDeposits.retrieve(id)));
    default:
      return null;
  }
}

/** A reason that Increase adds is not among them. */
const ACH_RETURN: Partial<Record<Increase.InboundACHTransfer.TransferReturn["reason"], string>> = {
  insufficient_funds: "R01",
  returned_per_odfi_request: "R06",
  authorization_revoked_by_customer: "R07",
  payment_stopped: "R08",
  customer_advised_unauthorized_improper_ineligible_or_incomplete: "R10",
  representative_payee_deceased_or_unable_to_continue_in_that_capacity: "R14",
  beneficiary_or_account_holder_deceased: "R15",
  credit_entry_refused_by_receiver: "R23",
  duplicate_entry: "R24",
  corporate_customer_advised_not_authorized: "R29",
};

function ofAch(deposit: Increase.InboundACHTransfer): Arrived | null {
  // Debits are blocked on our numbers.
  if (deposit.direction === "debit") return null;
  if (deposit.direction !== "credit") throw new Unreadable("direction is not as documented");
  // Pending or declined: nothing arrived.
  const { status, transfer_return: back } = deposit;
  const hasArrived = status === "accepted" || status === "returned";
  const acceptance = requireArrived(deposit.acceptance, hasArrived, "acceptance");
  if (!acceptance) return null;
  return {
    ...common(deposit),
    rail: "ACH",
    payerName: nameOr(deposit.originator_company_name, "Sender of a deposit"),
    at: new Date(acceptance.accepted_at),
    transactionId: acceptance.transaction_id,
    ...returnIn({
      isReturned: status === "returned",
      back,
      at: back?.returned_at,
      code: (back && ACH_RETURN[back.reason]) ?? "SENT_BACK",
    }),
  };
}

/** Wires, instant payments and checks have no NACHA codes; these are the nearest. */
const WIRE_REVERSAL: Partial<Record<Increase.InboundWireTransfer.Reversal["reason"], string>> = {
  transaction_forbidden: "R16",
  creditor_request: "R23",
  duplicate: "R24",
};

function ofWire(deposit: Increase.InboundWireTransfer): Arrived | null {
  const { status, reversal: back } = deposit;
  const hasArrived = status === "accepted" || status === "reversed";
  const acceptance = requireArrived(deposit.acceptance, hasArrived, "acceptance");
  if (!acceptance) return null;
  return {
    ...common(deposit),
    rail: "WIRE",
    payerName: nameOr(deposit.debtor_name, "Sender of a wire"),
    at: new Date(acceptance.accepted_at),
    transactionId: acceptance.transaction_id,
    ...returnIn({
      isReturned: status === "reversed",
      back,
      at: back?.reversed_at,
      code: (back && WIRE_REVERSAL[back.reason]) ?? "SENT_BACK",
    }),
  };
}

/** Instant payments are final once they are confirmed. */
function ofRealTimePayment(deposit: Increase.InboundRealTimePaymentsTransfer): Arrived | null {
  const hasArrived = deposit.status === "confirmed";
  const confirmation = requireArrived(deposit.confirmation, hasArrived, "confirmation");
  if (!confirmation) return null;
  return {
    ...common(deposit),
    rail: "INSTANT",
    payerName: nameOr(deposit.debtor_name, "Sender of a payment"),
    at: new Date(confirmation.confirmed_at),
    transactionId: confirmation.transaction_id,
    returned: null,
    isReturnMissing: false,
  };
}

const NOT_ARRIVED: ReadonlySet<string> = new Set([
  "pending_confirming",
  "timed_out",
  "declined",
  "requires_attention",
] satisfies Increase.InboundFednowTransfer["status"][]);

function ofFednow(deposit: Increase.InboundFednowTransfer): Arrived | null {
  // Confirmed within seconds of its arrival, whose time is the only one that it has.
  if (NOT_ARRIVED.has(deposit.status)) return null;
  // It has no other sign of what has arrived than its status.
  if (deposit.status !== "confirmed") throw new Unreadable("status is not as documented");
  const transactionId = requireArrived(deposit.transaction_id, true, "transaction_id");
  if (!transactionId) return null;
  return {
    ...common(deposit),
    rail: "INSTANT",
    payerName: nameOr(deposit.debtor_name, "Sender of a payment"),
    at: new Date(deposit.created_at),
    transactionId,
    returned: null,
    isReturnMissing: false,
  };
}

const CHECK = "check_deposit";

type CheckReturnReason = Increase.CheckDeposit.DepositReturn["return_reason"];

const CHECK_RETURN: Partial<Record<CheckReturnReason, string>> = {
  insufficient_funds: "R01",
  closed_account: "R02",
  no_account: "R03",
  stop_payment: "R08",
  stop_payment_suspect: "R08",
  not_authorized: "R10",
  frozen_or_blocked_account: "R16",
  duplicate_submission: "R24",
};

function ofCheck(deposit: Increase.CheckDeposit): Arrived | null {
  const hasArrived = deposit.status === "submitted" || deposit.status === "returned";
  if (!requireArrived(deposit.deposit_acceptance, hasArrived, "deposit_acceptance")) return null;
  const transactionId = requireArrived(deposit.transaction_id, true, "transaction_id");
  if (!transactionId) return null;
  const { inbound_funds_hold: hold, deposit_return: back } = deposit;
  return {
    ...common({ ...deposit, account_number_id: null, type: CHECK }),
    rail: "CHECK",
    payerName: nameOr(deposit.description, "A check"),
    // Increase shows its money at once and blocks it until the hold ends. Not `released_at`, which a return
    // sets too: the deposit keeps its time, so that its return comes after it.
    at: new Date(
      hold?.automatically_releases_at ?? deposit.deposit_submission?.submitted_at ?? deposit.created_at,
    ),
    transactionId,
    ...returnIn({
      isReturned: deposit.status === "returned",
      back,
      at: back?.returned_at,
      code: (back && CHECK_RETURN[back.return_reason]) ?? "R17",
    }),
  };
}

/** What says that a deposit went back, and cannot be read as that, takes nothing back: it is read again. */
function returnIn(input: {
  isReturned: boolean;
  back: unknown;
  at: unknown;
  code: string;
}): Pick<Arrived, "returned" | "isReturnMissing"> {
  const at = timeIn(input.at);
  const returned = at && { at, code: input.code };
  return { returned, isReturnMissing: returned === null && (input.isReturned || Boolean(input.back)) };
}

/** @throws Unreadable where a deposit that names its number does not: only a check goes to another one */
function common(deposit: {
  id: string;
  amount: number;
  account_id: string;
  account_number_id: string | null;
  type: string;
}): Pick<Arrived, "id" | "amountInCents" | "accountId" | "accountNumberId"> {
  if (typeof deposit.account_number_id !== "string" && deposit.type !== CHECK) {
    throw new Unreadable("account_number_id is not as documented");
  }
  return {
    id: deposit.id,
    amountInCents: deposit.amount,
    accountId: deposit.account_id,
    accountNumberId: deposit.account_number_id,
  };
}

/** A check names only the organization's account, so it goes to the first income source. */
const MAXIMUM_NUMBERS = 100;

/** The income source that it arrived on; null: not one of ours, so only Increase's statement shows it. */
async function receiverOf(
  client: Increase,
  { accountNumberId, accountId }: Arrived,
): Promise<{ organizationId: string; accountId: string } | null> {
  if (accountNumberId !== null) {
    return ownerOf(asAsked(accountNumberId, await client.accountNumbers.retrieve(accountNumberId)));
  }
  const { data } = await client.accountNumbers.list({ account_id: accountId, limit: MAXIMUM_NUMBERS });
  const createdAt = (number: Increase.AccountNumber) => timeIn(number.created_at)?.getTime() ?? 0;
  const oldestFirst = data.toSorted((a, b) => createdAt(a) - createdAt(b));
  return oldestFirst.map(ownerOf).find((owner) => owner !== null) ?? null;
}

/** `sluice-number:<organization>:<income source>`. */
function ownerOf(number: Increase.AccountNumber): { organizationId: string; accountId: string } | null {
  const key = keyOf(number)?.match(/^sluice-number:([0-9a-f-]{36}):([0-9a-f-]{36})$/);
  const [, organizationId, accountId] = key ?? [];
  return organizationId && accountId ? { organizationId, accountId } : null;
}
