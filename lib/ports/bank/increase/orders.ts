import Increase from "increase";
import { addBankingDays, bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";
import { BANK_REFUSALS, type BankRefusal } from "@/lib/contract/transfer";
import {
  type BankAnswer,
  type BankOrder,
  BankOrderConflict,
  type BankOrderState,
  BankUnavailable,
  type ExpectedOrder,
} from "@/lib/ports/bank/bank-port";
import { bankWords } from "@/lib/ports/bank/bank-words";
import type { IncreaseAccounts } from "@/lib/ports/bank/increase/accounts";
import { ascii } from "@/lib/ports/bank/increase/ascii";
import { createOnce } from "@/lib/ports/bank/increase/create-once";
import { isInvalid, wordsOf } from "@/lib/ports/bank/increase/errors";
import { timeIn } from "@/lib/ports/bank/increase/read-field";

/** Increase hands its last file of a day to the Federal Reserve at about this time, New York. */
export const CUT_OFF_TIME = "16:45";
const POSTING_TIME = "08:30";

interface Orders {
  client: Increase;
  accounts: IncreaseAccounts;
}

/** See BankPort.submit. */
export async function submitOrder({ client, accounts }: Orders, order: BankOrder): Promise<BankAnswer> {
  const { bankReference, name, holderName } = order.outsideAccount;
  if (bankReference === null) return refusal("NOT_REGISTERED", null);
  const account = await accounts.ofOrganization(order.organizationId);
  try {
    const outside = await client.externalAccounts.retrieve(bankReference);
    const transfer = await createOnce(
      () =>
        client.achTransfers.create(
          {
            account_id: account,
            external_account_id: bankReference,
            amount: signedAmount(order),
            statement_descriptor: ascii(order.label ?? "", 200, "Transfer"),
            individual_name: ascii(holderName ?? name, 22, "Account holder"),
            // NACHA: entries to consumers have a class of their own.
            standard_entry_class_code:
              outside.account_holder === "individual"
                ? "prearranged_payments_and_deposit"
                : "corporate_credit_or_debit",
            preferred_effective_date: { settlement_schedule: "future_dated" },
            ...(order.label ? { company_entry_description: ascii(order.label, 10, "Transfer") } : {}),
          },
          { idempotencyKey: order.transferId },
        ),
      (id) => client.achTransfers.retrieve(id),
    );
    requireSame(transfer, account, { ...order, transferId: order.transferId, bankReference });
    return toAnswer(transfer);
  } catch (error) {
    if (error instanceof Increase.NotFoundError) {
      return await afterNotFound({ client, accounts }, order, { account, bankReference, error });
    }
    const refused = refusalOf(error);
    if (refused) return refused;
    throw error;
  }
}

/** A key of another group finds nothing either: only under the account's own key does it mean that nothing was taken. */
async function afterNotFound(
  { client, accounts }: Orders,
  order: BankOrder,
  { account, bankReference, error }: { account: string; bankReference: string; error: unknown },
): Promise<BankAnswer> {
  await accounts.requireKnown(account);
  const transfer = await lookUp(client, account, order.transferId);
  if (!transfer) return refusal("NOT_REGISTERED", wordsOf(error));
  requireSame(transfer, account, { ...order, bankReference });
  return toAnswer(transfer);
}

/** See BankPort.find. */
export async function findOrder(
  { client, accounts }: Orders,
  input: { organizationId: string; transferId: string; expected?: ExpectedOrder },
): Promise<BankOrderState | null> {
  const account = await accounts.ofOrganization(input.organizationId);
  const transfer = await lookUp(client, account, input.transferId);
  if (!transfer) {
    await accounts.requireKnown(account);
    return null;
  }
  if (input.expected) requireSame(transfer, account, { ...input.expected, transferId: input.transferId });
  return toState(transfer);
}

async function lookUp(
  client: Increase,
  account: string,
  transferId: string,
): Promise<Increase.ACHTransfer | null> {
  const asked = { account_id: account, idempotency_key: transferId, limit: 1 };
  const [transfer] = (await client.achTransfers.list(asked)).data;
  return transfer ?? null;
}

/** The transfer whose id is an order's idempotency key; null: made by someone else. */
export function transferOf({
  idempotency_key: key,
}: Pick<Increase.ACHTransfer, "idempotency_key">): string | null {
  return key !== null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : null;
}

const signedAmount = ({ direction, amountInCents }: Pick<BankOrder, "direction" | "amountInCents">) =>
  direction === "CREDIT" ? amountInCents : -amountInCents;

/** The same key with other details must not pass for this order. */
function requireSame(
  transfer: Increase.ACHTransfer,
  account: string,
  expected: ExpectedOrder & { transferId: string },
): void {
  if (typeof transfer.id !== "string") {
    throw new BankUnavailable("Increase's answer is not as documented: an order without an id");
  }
  const isSame =
    transfer.account_id === account &&
    transfer.amount === signedAmount(expected) &&
    (expected.bankReference === null || transfer.external_account_id === expected.bankReference);
  if (!isSame) throw new BankOrderConflict(expected.transferId);
}

/** Answers by which Increase took nothing. Everything else is unknown. */
function refusalOf(error: unknown): BankAnswer | null {
  if (error instanceof Increase.InvalidOperationError) return refusal("NOT_ALLOWED", wordsOf(error));
  return isInvalid(error) ? refusal("NOT_ACCEPTED", wordsOf(error)) : null;
}

const refusal = (code: BankRefusal, words: string | null): BankAnswer => ({
  kind: "REFUSED",
  code,
  message: `The bank refuses this payment: ${BANK_REFUSALS[code]}`,
  bankWords: words,
});

/** Its return says so too, whatever status Increase adds. */
export const isReturned = (transfer: Increase.ACHTransfer) =>
  transfer.status === "returned" || hasReadableReturn(transfer);

const hasReadableReturn = ({ return: back }: Increase.ACHTransfer) => timeIn(back?.created_at) !== null;

/** It says that it was returned, but not when; or something that is not a return. */
export const isReturnUnreadable = (transfer: Increase.ACHTransfer) =>
  !hasReadableReturn(transfer) && (transfer.status === "returned" || Boolean(transfer.return));

/** What cannot be read as a return is none: the order may have settled. */
function requireReadableReturn(transfer: Increase.ACHTransfer): void {
  if (transfer.status === "returned" || !isReturnUnreadable(transfer)) return;
  throw new BankUnavailable("Increase's answer is not as documented: the return of an order");
}

const STATUSES: ReadonlySet<string> = new Set([
  "pending_approval",
  "pending_transfer_session_confirmation",
  "canceled",
  "pending_submission",
  "pending_reviewing",
  "requires_attention",
  "rejected",
  "submitted",
  "returned",
] satisfies Increase.ACHTransfer["status"][]);

/** A status that is not documented may be an end. */
export const isStatusKnown = ({ status }: Increase.ACHTransfer) => STATUSES.has(status);

/** Why an order ended without its money; null: it has not. */
export function endOf(transfer: Increase.ACHTransfer): { code: string; bankWords: string | null } | null {
  if (isReturned(transfer)) return returnOf(transfer);
  switch (transfer.status) {
    case "rejected":
      return { code: "REJECTED" satisfies BankRefusal, bankWords: null };
    case "canceled": {
      const by = transfer.cancellation?.canceled_by;
      return {
        code: "CANCELED" satisfies BankRefusal,
        bankWords: by ? bankWords(`Canceled by ${by}`) : null,
      };
    }
    default:
      return null;
  }
}

/** NACHA's code. One that is missing must not leave a transfer without a reason. */
function returnOf({ return: back }: Increase.ACHTransfer): { code: string; bankWords: string | null } {
  const code: unknown = back?.raw_return_reason_code;
  const reason: unknown = back?.return_reason_code;
  return {
    code: typeof code === "string" && /^R[0-9]{2}$/.test(code) ? code : ("SENT_BACK" satisfies BankRefusal),
    bankWords: bankWords(
      typeof reason === "string" ? reason.replaceAll("_", " ") : null,
      back?.addenda_information,
    ),
  };
}

/** A member of the operator's team at Increase decides; `pending_reviewing` waits for Increase itself. */
const isApprovedThere = ({ status }: Increase.ACHTransfer) =>
  status === "pending_approval" || status === "pending_transfer_session_confirmation";

function toAnswer(transfer: Increase.ACHTransfer): BankAnswer {
  requireReadableReturn(transfer);
  const end = isReturned(transfer) ? null : endOf(transfer);
  if (end) {
    return { kind: "REFUSED", message: `The bank has ${transfer.status} this transfer`, ...end };
  }
  const at = expectedSettlementAt(transfer);
  return {
    kind: "ACCEPTED",
    reference: transfer.id,
    expectedSettlementDate: bankingDateOf(at),
    expectedSettlementAt: at,
    ...(isApprovedThere(transfer) && { isApprovedThere: true }),
  };
}

function toState(transfer: Increase.ACHTransfer): BankOrderState {
  requireReadableReturn(transfer);
  const common = { reference: transfer.id, expectedSettlementAt: expectedSettlementAt(transfer) };
  const end = endOf(transfer);
  if (end) return { ...common, state: isReturned(transfer) ? "RETURNED" : "REFUSED", ...end };
  // Settlement is a field: the status stays `submitted`.
  const state = transfer.settlement ? "SETTLED" : "PENDING";
  return { ...common, state, code: null, ...(isApprovedThere(transfer) && { isApprovedThere: true }) };
}

/** As Increase says once it has submitted the order; until then, the next banking day after the cut-off. */
function expectedSettlementAt(transfer: Increase.ACHTransfer): Date {
  const expected = timeIn(transfer.submission?.expected_funds_settlement_at);
  if (expected) return expected;
  const createdAt = timeIn(transfer.created_at);
  if (!createdAt)
    throw new BankUnavailable("Increase's answer is not as documented: an order without a time");
  const date = bankingDateOf(createdAt);
  const today = addBankingDays(date, 0);
  const isLate = today === date && bankingTimeOf(createdAt) >= CUT_OFF_TIME;
  return bankingInstant(addBankingDays(today, isLate ? 2 : 1), POSTING_TIME);
}
