import { z } from "zod";

/** Refusals that a program seldom gets and one that tries doors often: of what it may not do, or what is not there. */
export const PROBING_REFUSALS = [
  "INVALID_PARAMETERS",
  "TRANSFER_SOURCE_NOT_FOUND",
  "TRANSFER_DESTINATION_NOT_FOUND",
  "ACCESS_DENIED",
  "MAXIMUM_AMOUNT_EXCEEDED",
  "ACCOUNT_NOT_FOUND",
  "RULE_NOT_FOUND",
  "RULE_EXECUTION_NOT_FOUND",
  "TRANSFER_NOT_FOUND",
  "CARD_TRANSACTION_NOT_FOUND",
  "EXTERNAL_TRANSACTION_NOT_FOUND",
] as const;

const count = z.int().min(0);
const cents = z.int();

/** Unusual use of a key or an assistant, with what was seen and what is usual. Amounts in cents. */
export const keyAlertSchema = z.discriminatedUnion("kind", [
  /** `network`: shortened, as a person may be shown it. */
  z.object({ kind: z.literal("NEW_NETWORK"), network: z.string(), knownNetworks: count }),
  z.object({ kind: z.literal("AFTER_SILENCE"), days: count }),
  /** Within a quarter of an hour. */
  z.object({ kind: z.literal("REFUSALS"), refusals: count, commonest: z.string() }),
  z.object({ kind: z.literal("LARGE_AMOUNT"), amountInCents: cents, usualInCents: cents }),
  z.object({ kind: z.literal("LARGE_DAY"), dayInCents: cents, usualInCents: cents }),
  z.object({ kind: z.literal("CAP_REACHED"), capInCents: cents, usedInCents: cents }),
  z.object({ kind: z.literal("MANY_WAITING"), waiting: count }),
]);
export type KeyAlert = z.infer<typeof keyAlertSchema>;
