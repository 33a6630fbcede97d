import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { seenText } from "@/lib/contract/plain-text";
import type { BankNotice } from "@/lib/ports/bank/bank-port";
import { Unreadable } from "@/lib/ports/bank/unread";

const MAXIMUM_TEXT = 200;

/** No bank reports what was before; null, as a time, is the first moment of 1970. */
const EARLIEST = new Date("2000-01-01T00:00:00Z");
/** How far ahead a bank may say what will happen: a check is held for days. Later, it would wait unseen. */
const MOST_AHEAD_MS = 366 * 86_400_000;

/**
 * Checks what a bank's answer became: its types promise what the wire does not.
 * @param now the bank's time, near enough
 * @throws Unreadable naming the field
 */
export function assertKeepable(notice: BankNotice, now: Date): void {
  const refuse = (field: string) => {
    throw new Unreadable(`${field} is not as documented`, notice.organizationId);
  };
  if (!isText(notice.noticeReference)) refuse("noticeReference");
  if (!isTime(notice.occurredAt) || notice.occurredAt.getTime() > now.getTime() + MOST_AHEAD_MS) {
    refuse("occurredAt");
  }
  switch (notice.kind) {
    case "DEPOSITED":
      if (!isBankAmount(notice.amountInCents) || notice.amountInCents <= 0) refuse("amountInCents");
      if (!isText(notice.depositReference)) refuse("depositReference");
      break;
    case "DEPOSIT_RETURNED":
      if (!isText(notice.depositReference)) refuse("depositReference");
      break;
    case "SETTLED":
      if (notice.finalAt !== null && !isTime(notice.finalAt)) refuse("finalAt");
      if (notice.availableAt !== null && !isTime(notice.availableAt)) refuse("availableAt");
      break;
    case "CORRECTED":
      if (!/^[0-9]{4}$/.test(notice.routingNumberLast4)) refuse("routingNumberLast4");
      if (!/^[A-Za-z0-9]{1,4}$/.test(notice.accountNumberLast4)) refuse("accountNumberLast4");
      break;
    default:
  }
}

const isText = (value: unknown) =>
  typeof value === "string" && value.length > 0 && value.length <= MAXIMUM_TEXT;

const isTime = (value: unknown) => value instanceof Date && isBankTime(value);

/** When something may have happened at a bank, or will. */
export const isBankTime = (at: Date) => at >= EARLIEST;

/**
 * Whole cents up to a trillion dollars, of either sign. The sum of two amounts as large as a JSON number can be is not a number
 * any more, and nothing that adds up the organization's money could be read.
 */
export const isBankAmount = (cents: number): boolean =>
  Number.isSafeInteger(cents) && Math.abs(cents) <= MAXIMUM_TRANSFER_IN_CENTS;

/** A name as a bank wrote it, bounded and without what cannot be stored or seen. @param otherwise without a name */
export function nameOr(name: unknown, otherwise: string): string {
  if (typeof name !== "string") return otherwise;
  const seen = Array.from(seenText(name, "\uFFFD").trim());
  return seen.slice(0, MAXIMUM_TEXT).join("").trim() || otherwise;
}
