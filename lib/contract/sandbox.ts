import { z } from "zod";
import { denialReasonKindSchema } from "@/lib/contract/approvals/denial";
import { cardDeclineReasonSchema, sandboxCardMoneySchema } from "@/lib/contract/card";
import { centsBetween } from "@/lib/contract/input/cents";
import { instantText } from "@/lib/contract/input/instants";
import { DENIAL_TEXT_LIMIT } from "@/lib/contract/limits";
import { nameText, plainText } from "@/lib/contract/plain-text";
import { flowDirectionSchema, spendingCategorySchema } from "@/lib/contract/transactions";
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

/** What programs send to drive a sandbox: the fields of the dashboard's sandbox page. */

const MAXIMUM_CENTS = 100_000_000_000;
const amountInCents = centsBetween(1, MAXIMUM_CENTS).describe("The amount in cents.");
const accountId = z.guid("must be the UUID of an account").toLowerCase();

export const moveSandboxClockBodySchema = z.strictObject({
  to: instantText.describe("Business time to move to: later than now, and at most 92 days ahead."),
});

export const makeSandboxDepositBodySchema = z.strictObject({
  accountId: accountId.describe("The managed account that receives it."),
  amountInCents,
  payerName: nameText(60).describe("Who pays."),
  origin: z
    .enum(["DIRECT_DEPOSIT", "CHECK_DEPOSIT"], "must be DIRECT_DEPOSIT or CHECK_DEPOSIT")
    .default("DIRECT_DEPOSIT")
    .describe("A check clears on the next banking day."),
});

export const makeSandboxPurchaseBodySchema = z.strictObject({
  cardId: z.guid("must be the UUID of a card").toLowerCase().describe("The card."),
  amountInCents: amountInCents.describe(
    "The amount in cents; its last digits choose how it goes on (the page of sandbox cards).",
  ),
  merchant: sandboxCardMoneySchema.shape.merchant.describe("Where it is made."),
  category: spendingCategorySchema.nullable().default(null).describe("The category of the merchant."),
});

export const makeSandboxOutsideTransactionBodySchema = z.strictObject({
  accountId: accountId.describe("A connected account."),
  amountInCents,
  direction: flowDirectionSchema.describe("Whether money comes in or goes out."),
  partyName: nameText(60).describe("The other party."),
  isPending: z
    .boolean("must be true or false")
    .default(false)
    .describe("Pending first; it settles within three days."),
});

export const makeSandboxReturnBodySchema = z.strictObject({
  transferId: z
    .guid("must be the UUID of a transfer")
    .toLowerCase()
    .describe("A transfer with the bank, or settled, or a deposit."),
  code: achReturnCodeSchema.describe("The bank's reason."),
});

export const decideInSandboxBodySchema = z.strictObject({
  proposalId: z
    .guid("must be the UUID of a transfer or run")
    .toLowerCase()
    .describe("The transfer or run that waits."),
  decision: z.enum(["APPROVE", "DENY"], "must be APPROVE or DENY").describe("What the test person decides."),
  reason: z
    .strictObject({
      kind: denialReasonKindSchema,
      text: plainText(DENIAL_TEXT_LIMIT).nullable().default(null),
      notBefore: z.iso
        .date()
        .nullable()
        .default(null)
        .describe("Of `NOT_NOW`: the day from which it may ask again."),
    })
    .nullable()
    .default(null)
    .describe("Of a denial, for the program."),
});
export type DecideInSandbox = z.output<typeof decideInSandboxBodySchema>;

export const sandboxResultSchema = z
  .strictObject({
    now: z.iso.datetime().describe("Business time after it."),
    outcome: z
      .string()
      .nullable()
      .describe(
        "Of a purchase: `APPROVED`, `UNANSWERED` or why it was declined. Of a decision: `APPROVED` or `DENIED`. Null otherwise.",
      ),
  })
  .meta({
    id: "SandboxResult",
    description: "What came of driving the sandbox. What was due has been carried out.",
  });
export type SandboxResult = z.infer<typeof sandboxResultSchema>;
