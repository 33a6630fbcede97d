import { z } from "zod";
import { accountTypeSchema } from "@/lib/contract/account";
import { proposalDecisionSchema } from "@/lib/contract/approvals/denial";
import { proposalCheckSchema } from "@/lib/contract/approvals/proposal-check";
import { APPROVALS_DESCRIPTION, approvalsSchema } from "@/lib/contract/approvals/signatures";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { centsBetween } from "@/lib/contract/input/cents";
import { labelsInputShape, labelsOutputShape } from "@/lib/contract/input/labels";
import {
  MAXIMUM_DESCRIPTION_LENGTH,
  MAXIMUM_REASON_FOR_APPROVAL_LENGTH,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** Decisions page, "Transfer". */
export const transferStatusSchema = z
  .enum(["APPROVAL_PENDING", "APPROVAL_DENIED", "PROCESSING", "COMPLETE", "FAILED", "CANCELLED", "RETURNED"])
  .meta({
    id: "TransferStatus",
    description:
      "`APPROVAL_PENDING`: waits for an owner or co-owner, and nothing has moved. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours. `PROCESSING`: accepted and in progress. `COMPLETE`: settled. `FAILED`: nothing moved. `CANCELLED`: canceled before it went to the bank. `RETURNED`: returned by the bank after it had settled.",
  });
export type TransferStatus = z.infer<typeof transferStatusSchema>;

export const executionModeSchema = z
  .enum(["LIVE", "SIMULATION"])
  .meta({ id: "ExecutionMode", description: "`LIVE`: real money. `SIMULATION`: a dry run." });
export type ExecutionMode = z.infer<typeof executionModeSchema>;

/** Which side of a transfer an account is on. */
export const accountRoleSchema = z.enum(["source", "destination", "either"]);
export type AccountRole = z.infer<typeof accountRoleSchema>;

export const transferDirectionSchema = z.enum(["MONEY_IN", "MONEY_OUT", "INTERNAL"]);
export type TransferDirection = z.infer<typeof transferDirectionSchema>;

const transferOriginSchema = z.enum([
  "API",
  "RULE",
  "USER",
  "DIRECT_DEPOSIT",
  "CHECK_DEPOSIT",
  "EXTERNAL_PULL",
]);
export type TransferOrigin = z.infer<typeof transferOriginSchema>;

/** One party: an account of the organization, or (null id) someone outside it. */
export const accountReferenceSchema = z
  .strictObject({
    id: z.uuid().nullable().describe("Null for someone outside the organization."),
    name: z.string(),
    type: z
      .enum([...accountTypeSchema.options, "EXTERNAL_ENTITY"])
      .describe("An account's type, or `EXTERNAL_ENTITY` for someone outside the organization."),
    isDeleted: z.boolean().describe("Whether the account has since been closed."),
  })
  .meta({ id: "AccountReference", description: "One party of a movement." });
export type AccountReference = z.infer<typeof accountReferenceSchema>;

const instant = z.iso.datetime();

export const transferSchema = z
  .strictObject({
    id: z.uuid(),
    status: transferStatusSchema,
    executionMode: executionModeSchema,
    direction: transferDirectionSchema.describe("From the organization's point of view."),
    origin: transferOriginSchema.describe("Who requested it."),
    amountInCents: z.int().positive().describe("What was requested."),
    approvedAmountInCents: z.int().positive().nullable().describe("What moves, if a person approved less."),
    description: z.string().nullable().describe("The label on the recipient's statement."),
    source: accountReferenceSchema.describe("Where the money comes from."),
    destination: accountReferenceSchema.describe("Where it goes."),
    ruleId: z.uuid().nullable().describe("The rule that made it."),
    ruleExecutionId: z.uuid().nullable().describe("The run of a rule that made it."),
    reasonForApproval: z.string().nullable().describe("The caller's reason, shown to the approver."),
    approvalUrl: z
      .url()
      .nullable()
      .describe("Where a person decides, while it is `APPROVAL_PENDING`; null otherwise."),
    decision: proposalDecisionSchema
      .nullable()
      .describe("What became of its proposal; null while it waits, and if it never waited."),
    approvals: approvalsSchema.nullable().describe(APPROVALS_DESCRIPTION),
    mandateId: z.uuid().nullable().describe("The mandate under which it was accepted without asking."),
    errorCode: z
      .string()
      .nullable()
      .describe(
        "Why it failed or was returned: `INSUFFICIENT_FUNDS`, `ACCOUNT_CLOSED`, `ABOVE_OUTGOING_CAP` (real money: more than may leave within 24 hours), `ACH_R01` … For a dry run: how the live transfer would fail as things are now, including `GATES_CLOSED`, `ABOVE_DAILY_CAP` (it would wait for approval) or `RATE_LIMIT_EXCEEDED` (too many waiting proposals); null if it would complete.",
      ),
    errorMessage: z.string().nullable().describe("The same in words."),
    createdAt: instant,
    updatedAt: instant,
    completedAt: instant.nullable().describe("When it ended, with any outcome."),
    expectedCompletionDate: z.iso.date().nullable().describe("The banking day on which it should settle."),
    ...labelsOutputShape,
    checks: z
      .array(proposalCheckSchema)
      .nullable()
      .describe(
        "What its approver reads: of a dry run and of one that waits, as answered by `createTransfer` and `getTransfer`. Of one that was accepted at once, only what a person should look at. Null elsewhere.",
      ),
  })
  .meta({ id: "Transfer", description: "A movement in or out of a managed account." });
export type Transfer = z.infer<typeof transferSchema>;

/** Body of `POST /transfers` (specification, Part 4, "Transfer creation body"). */
export const createTransferBodySchema = z
  .strictObject({
    sourceAccountId: z
      .guid("must be the UUID of an account")
      .toLowerCase()
      .describe("Where the money comes from."),
    destinationAccountId: z
      .guid("must be the UUID of an account")
      .toLowerCase()
      .describe(
        "Where it goes: another account than the source. At least one of the two is an account that Sluice manages.",
      ),
    amountInCents: centsBetween(MINIMUM_TRANSFER_IN_CENTS, MAXIMUM_TRANSFER_IN_CENTS).describe(
      "The amount in cents.",
    ),
    description: z
      .string()
      .regex(
        new RegExp(`^[A-Za-z0-9 ]{1,${MAXIMUM_DESCRIPTION_LENGTH}}$`),
        `must be 1 to ${MAXIMUM_DESCRIPTION_LENGTH} letters, digits and spaces`,
      )
      .optional()
      .describe("The ACH label on the recipient's statement: letters, digits and spaces."),
    simulation: z
      .boolean("must be true or false")
      .optional()
      .describe(
        "A dry run. It moves nothing and returns a `COMPLETE` transfer, whose `errorCode` says how the live one would fail.",
      ),
    reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH)
      .optional()
      .describe("Shown word for word to the approver, and returned."),
    ...labelsInputShape,
  })
  .refine((body) => body.sourceAccountId !== body.destinationAccountId, {
    path: ["destinationAccountId"],
    message: "must be another account than sourceAccountId",
    when: onceReadable("sourceAccountId", "destinationAccountId"),
  });
export type CreateTransferBody = z.infer<typeof createTransferBodySchema>;

/** NACHA return codes that the sandbox bank sends, in words for members. */
export const ACH_RETURNS = {
  R01: "not enough money",
  R02: "account closed",
  R03: "no account",
  R04: "invalid account number",
  R08: "payment stopped",
  R10: "not authorized",
  R16: "account frozen",
  R29: "not authorized by the company",
} as const;

export const achReturnCodeSchema = z.enum(["R01", "R02", "R03", "R04", "R08", "R10", "R16", "R29"]);
export type AchReturnCode = z.infer<typeof achReturnCodeSchema>;

/** Why a bank refused or returned a payment without a NACHA code, in words for members. */
export const BANK_REFUSALS = {
  ACCOUNT_TAKEN: "the bank account belongs to another organization",
  BLOCKED: "blocked by the bank",
  CANCELED: "canceled at the bank",
  CANNOT_PULL: "this bank cannot draw money from outside accounts",
  DUPLICATE: "the same amount to the same payee within 24 hours",
  NOT_ACCEPTED: "its details were not accepted",
  NOT_ALLOWED: "not allowed by the bank at that time",
  NOT_REGISTERED: "the outside account is not registered at the bank",
  REJECTED: "rejected at the bank",
  SENT_BACK: "sent back without a reason",
} as const;
export type BankRefusal = keyof typeof BANK_REFUSALS;

/**
 * Codes with which the holder of an account, or their bank, forbids drawing from it again (NACHA: stopped, revoked, not
 * authorized).
 */
const FORBIDS_ANOTHER_PULL: ReadonlySet<string> = new Set(
  ["R05", "R07", "R08", "R10", "R11", "R29", "R51"].map((code) => `ACH_${code}`),
);

/**
 * Whether asking for a failed transfer again makes sense.
 * @param errorCode the transfer's
 */
export function mayBeTriedAgain(direction: TransferDirection, errorCode: string | null): boolean {
  if (direction !== "MONEY_IN" || errorCode === null) return true;
  return !FORBIDS_ANOTHER_PULL.has(errorCode) && errorCode !== "ACH_CANNOT_PULL";
}

/** A bank's return code in words: `R10, not authorized`; just the code if it is unknown. */
export function returnWords(code: string): string {
  const plain = code.replace(/^ACH_/, "");
  const known = achReturnCodeSchema.safeParse(plain);
  return known.success ? `${plain}, ${ACH_RETURNS[known.data]}` : (bankRefusalWords(plain) ?? plain);
}

/** Why a bank refused or returned a payment, in words; null for a code that has none. */
export function bankRefusalWords(code: string): string | null {
  return Object.entries(BANK_REFUSALS).find(([known]) => known === code)?.[1] ?? null;
}
