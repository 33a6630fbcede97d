import { z } from "zod";
import {
  MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS,
  MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH,
  MAXIMUM_ACCOUNT_NAME_LENGTH,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** What is said of an account by those who open or change it: API, form and verb share these. */

/** Something that is seen: zero-width characters and spaces alone are no name. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Without the spaces around it, so that no two names differ by what nobody sees. */
const accountNameSchema = plainText(MAXIMUM_ACCOUNT_NAME_LENGTH)
  .refine((name) => VISIBLE.test(name), { message: "must not be blank" })
  .trim();

const accountDescriptionSchema = plainText(MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH).trim();

const positiveCents = z
  .int({ error: "must be a whole number of cents", abort: true })
  .min(1, "must be at least 1 cent")
  .max(MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS, `must be at most ${MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS} cents`);

/** Body of `POST /accounts` (specification, Part 4, "Accounts"). */
export const createAccountBodySchema = z
  .strictObject({
    type: z
      .enum(["POD", "INCOME_SOURCE"], "must be POD or INCOME_SOURCE")
      .describe("`POD`: for routing and saving. `INCOME_SOURCE`: where outside money enters."),
    name: accountNameSchema.describe("What people know it by."),
    description: accountDescriptionSchema.optional().describe("What it is for."),
    beneficiaryId: z
      .uuid("must be the UUID of a beneficiary")
      .toLowerCase()
      .optional()
      .describe("Whose it is; without it, the default beneficiary's."),
    savingsTargetInCents: positiveCents.optional().describe("A goal for a pod, in cents."),
  })
  .refine((body) => body.type === "POD" || body.savingsTargetInCents === undefined, {
    path: ["savingsTargetInCents"],
    message: "is for PODs only",
  });
export type CreateAccountBody = z.output<typeof createAccountBodySchema>;

/** A member's new account: the same, and the floor. */
export const newAccountSchema = createAccountBodySchema.safeExtend({
  floorInCents: positiveCents.nullable(),
});
export type NewAccountInput = z.output<typeof newAccountSchema>;

/** All that a member may change of an account; what its kind does not have is null. */
export const editAccountSchema = z.strictObject({
  accountId: z.uuid(),
  /** `updatedAt` of what the member saw, so that two do not undo each other's change unseen. */
  seenUpdatedAt: z.iso.datetime(),
  name: accountNameSchema,
  description: accountDescriptionSchema.nullable(),
  floorInCents: positiveCents.nullable(),
  savingsTargetInCents: positiveCents.nullable(),
  linkedAccountId: z.uuid("must be one of the accounts").nullable(),
});
export type EditAccountInput = z.output<typeof editAccountSchema>;
