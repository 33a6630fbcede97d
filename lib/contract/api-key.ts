import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS } from "@/lib/contract/limits";
import { type Permission, permissionsSchema } from "@/lib/contract/permissions";
import { nameText } from "@/lib/contract/plain-text";

export const MAXIMUM_KEY_NAME_LENGTH = 60;

const keyNameSchema = nameText(MAXIMUM_KEY_NAME_LENGTH);

/** What a person enters to create a key. */
/** The most that a key may move within 24 hours without approval, in cents; null: no cap. Zero: nothing without approval. */
export const dailyCapSchema = z
  .int("must be an amount like 5,000.00")
  .min(0, "must not be negative")
  .max(MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS, "is more than an account may hold")
  .nullable();

export const newKeySchema = z
  .object({
    name: keyNameSchema,
    permissions: permissionsSchema,
    dailyCapInCents: dailyCapSchema.default(null),
  })
  .refine(({ permissions, dailyCapInCents }) => dailyCapInCents === null || movesAlone(permissions), {
    path: ["dailyCapInCents"],
    message: "everything this key may do needs approval, so a cap would have no effect",
    when: onceReadable("permissions", "dailyCapInCents"),
  });

/** Whether a key with these permissions may move any money without approval. */
export function movesAlone(permissions: readonly Permission[]): boolean {
  return permissions.some(
    (permission) =>
      (permission.type === "MANUAL_TRANSFER" || permission.type === "TRIGGER_RULES") &&
      !permission.approval.required,
  );
}

/** How long a replaced key keeps working. */
export const graceSchema = z.enum(["NONE", "ONE_HOUR", "ONE_DAY"]);
export type Grace = z.infer<typeof graceSchema>;

const HOUR_MS = 3_600_000;
export const GRACE_MS: Record<Grace, number> = { NONE: 0, ONE_HOUR: HOUR_MS, ONE_DAY: 24 * HOUR_MS };

/** Refusals rare for a working program and common for one that probes: not allowed, or not there. */
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
  /** `network`: shortened for display. */
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
