import { z } from "zod";
import { cardDeclineReasonSchema } from "@/lib/contract/card";
import { flowDirectionSchema } from "@/lib/contract/transactions";
import { achReturnCodeSchema } from "@/lib/contract/transfer";

/**
 * How the sandbox's webhook receiver answers: normally, with 503, 500 or 410, not until the sender times out, or
 * normally except every third time.
 */
export const receiverModeSchema = z.enum(["OK", "UNAVAILABLE", "ERROR", "GONE", "SILENT", "FLAKY"]);

export type ReceiverMode = z.infer<typeof receiverModeSchema>;

/** How many deliveries it stores. */
export const REMEMBERED_RECEIPTS = 20;

/** Longer than the sender waits, but no longer than a stopping process drains. */
export const SILENCE_MS = 15_000;

const cents = z.int().positive();

const instant = z.iso.datetime();

/** What a member simulates on a connection: sign-in required, error, no updates, or working again. */
export const connectionChangeSchema = z.enum(["SIGN_IN", "UNAVAILABLE", "STALE", "HEALED"]);

export type ConnectionChange = z.infer<typeof connectionChangeSchema>;

/** A member's action in the sandbox, as stored. */
export const sandboxActionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("MOVED_CLOCK"), fromAt: instant, toAt: instant }),
  z.object({
    kind: z.literal("DEPOSITED"),
    reference: z.string(),
    origin: z.enum(["DIRECT_DEPOSIT", "CHECK_DEPOSIT"]),
    amountInCents: cents,
    accountName: z.string(),
    payerName: z.string(),
    arrivesAt: instant,
  }),
  z.object({
    kind: z.literal("SENT_BACK"),
    transferId: z.uuid(),
    amountInCents: cents,
    partyName: z.string(),
    code: achReturnCodeSchema,
  }),
  /** At a real bank's sandbox. */
  z.object({
    kind: z.literal("SETTLED"),
    transferId: z.uuid(),
    amountInCents: cents,
    partyName: z.string(),
  }),
  z.object({ kind: z.literal("SILENCED"), untilAt: instant }),
  /** Of the bank's own accord, so that the books do not know it. */
  z.object({ kind: z.literal("BOOKED_BY_BANK"), as: z.enum(["FEE", "INTEREST"]), amountInCents: cents }),
  z.object({
    kind: z.literal("BOUGHT"),
    amountInCents: cents,
    merchant: z.string(),
    cardName: z.string(),
    /** The answer to the network; `UNANSWERED`: it did not arrive. */
    answer: z.enum(["APPROVED", "UNANSWERED", ...cardDeclineReasonSchema.options]),
  }),
  z.object({
    kind: z.literal("PAID_TO_CARD"),
    subtype: z.enum(["REFUND", "PAYOUT"]),
    amountInCents: cents,
    merchant: z.string(),
    cardName: z.string(),
  }),
  z.object({
    kind: z.literal("MOVED_OUTSIDE"),
    direction: flowDirectionSchema,
    amountInCents: cents,
    accountName: z.string(),
    partyName: z.string(),
    isPending: z.boolean(),
  }),
  z.object({
    kind: z.literal("CONNECTION_CHANGED"),
    institutionName: z.string(),
    change: connectionChangeSchema,
  }),
  z.object({
    kind: z.literal("PENDING_DECIDED"),
    description: z.string(),
    /** Null: it vanished. */
    settledInCents: cents.nullable(),
  }),
  z.object({ kind: z.literal("RECEIVER_SET"), mode: receiverModeSchema }),
]);

export type SandboxAction = z.infer<typeof sandboxActionSchema>;

export interface SandboxChoice {
  id: string;
  label: string;
}
