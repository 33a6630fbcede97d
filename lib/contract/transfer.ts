import { z } from "zod";
import { accountTypeSchema } from "@/lib/contract/account";
import {
  MAXIMUM_DESCRIPTION_LENGTH,
  MAXIMUM_REASON_FOR_APPROVAL_LENGTH,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** Decisions page, "Transfer". */
export const transferStatusSchema = z.enum([
  "APPROVAL_PENDING",
  "APPROVAL_DENIED",
  "PROCESSING",
  "COMPLETE",
  "FAILED",
  "CANCELLED",
  "RETURNED",
]);
export type TransferStatus = z.infer<typeof transferStatusSchema>;

export const executionModeSchema = z.enum(["LIVE", "SIMULATION"]);
export type ExecutionMode = z.infer<typeof executionModeSchema>;

/** Which side of a transfer an account is on. */
export const accountRoleSchema = z.enum(["source", "destination", "either"]);
export type AccountRole = z.infer<typeof accountRoleSchema>;

export const transferDirectionSchema = z.enum(["MONEY_IN", "MONEY_OUT", "INTERNAL"]);
export type TransferDirection = z.infer<typeof transferDirectionSchema>;

export const transferOriginSchema = z.enum([
  "API",
  "RULE",
  "USER",
  "DIRECT_DEPOSIT",
  "CHECK_DEPOSIT",
  "EXTERNAL_PULL",
]);
export type TransferOrigin = z.infer<typeof transferOriginSchema>;

/** One party: an account of the organization, or (null id) somebody outside it. */
export const accountReferenceSchema = z.strictObject({
  id: z.uuid().nullable(),
  name: z.string(),
  type: z.enum([...accountTypeSchema.options, "EXTERNAL_ENTITY"]),
  isDeleted: z.boolean(),
});
export type AccountReference = z.infer<typeof accountReferenceSchema>;

const instant = z.iso.datetime();

export const transferSchema = z.strictObject({
  id: z.uuid(),
  status: transferStatusSchema,
  executionMode: executionModeSchema,
  direction: transferDirectionSchema,
  origin: transferOriginSchema,
  amountInCents: z.int().positive(),
  description: z.string().nullable(),
  source: accountReferenceSchema,
  destination: accountReferenceSchema,
  ruleId: z.uuid().nullable(),
  ruleExecutionId: z.uuid().nullable(),
  reasonForApproval: z.string().nullable(),
  approvalUrl: z.url().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
  completedAt: instant.nullable(),
  expectedCompletionDate: z.iso.date().nullable(),
});
export type Transfer = z.infer<typeof transferSchema>;

/** Body of `POST /transfers` (specification, Part 4, "Transfer creation body"). */
export const createTransferBodySchema = z
  .strictObject({
    sourceAccountId: z.uuid("must be the UUID of an account").toLowerCase(),
    destinationAccountId: z.uuid("must be the UUID of an account").toLowerCase(),
    amountInCents: z
      .int({ error: "must be a whole number of cents", abort: true })
      .min(MINIMUM_TRANSFER_IN_CENTS, `must be at least ${MINIMUM_TRANSFER_IN_CENTS} cents`)
      .max(MAXIMUM_TRANSFER_IN_CENTS, `must be at most ${MAXIMUM_TRANSFER_IN_CENTS} cents`),
    /** ACH label. */
    description: z
      .string()
      .regex(
        new RegExp(`^[A-Za-z0-9 ]{1,${MAXIMUM_DESCRIPTION_LENGTH}}$`),
        `must be 1 to ${MAXIMUM_DESCRIPTION_LENGTH} letters, digits and spaces`,
      )
      .optional(),
    simulation: z.boolean("must be true or false").optional(),
    reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH).optional(),
  })
  .refine((body) => body.sourceAccountId !== body.destinationAccountId, {
    path: ["destinationAccountId"],
    message: "must be another account than sourceAccountId",
  });
export type CreateTransferBody = z.infer<typeof createTransferBodySchema>;
