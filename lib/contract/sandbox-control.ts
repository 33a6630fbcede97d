import { z } from "zod";
import { denialReasonKindSchema } from "@/lib/contract/approvals/denial";
import { sandboxCardMoneySchema } from "@/lib/contract/card";
import { centsBetween } from "@/lib/contract/input/cents";
import { instantText } from "@/lib/contract/input/instants";
import { DENIAL_TEXT_LIMIT } from "@/lib/contract/limits";
import { nameText, plainText } from "@/lib/contract/plain-text";
import { flowDirectionSchema, spendingCategorySchema } from "@/lib/contract/transactions";
import { achReturnCodeSchema } from "@/lib/contract/transfer";

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
