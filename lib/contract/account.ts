import { z } from "zod";
import {
  MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS,
  MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH,
  MAXIMUM_ACCOUNT_NAME_LENGTH,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

export const accountTypeSchema = z.enum(["POD", "INCOME_SOURCE", "EXTERNAL_ACCOUNT"]).meta({
  id: "AccountType",
  description:
    "`POD`: a managed account for routing and saving. `INCOME_SOURCE`: a special pod where outside funds enter. `EXTERNAL_ACCOUNT`: at another institution, not managed.",
});
export type AccountType = z.infer<typeof accountTypeSchema>;

export const externalAccountTypeSchema = z.enum(["DEPOSITORY", "INVESTMENT", "LIABILITY"]);
export type ExternalAccountType = z.infer<typeof externalAccountTypeSchema>;

/** What is owed cannot give money, and an investment account takes none back over ACH. */
export function canBeSource(type: AccountType, external: ExternalAccountType | null): boolean {
  return type !== "EXTERNAL_ACCOUNT" || external === "DEPOSITORY";
}

/** An income source is where outside money enters; rules route it on, not back. */
export function canBeDestination(type: AccountType): boolean {
  return type !== "INCOME_SOURCE";
}

const cents = z.int();
const instant = z.iso.datetime();

const linkedAccountSummaryShape = {
  id: z.uuid(),
  name: z.string(),
  type: accountTypeSchema,
  description: z.string().nullable().describe("The label that a member gave it."),
  externalAccountType: externalAccountTypeSchema.nullable().describe("Null for `POD` and `INCOME_SOURCE`."),
  beneficiaryName: z.string().nullable().describe("Whose money it is."),
  institutionName: z.string().nullable().describe("Present for `INCOME_SOURCE` and `EXTERNAL_ACCOUNT`."),
  canBeSource: z.boolean().describe("Whether rules may move money out of it."),
  canBeDestination: z.boolean().describe("Whether rules may move money into it."),
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable().describe("Null while it is open."),
};

/** Specification, Part 2, "Balance". Every field is always present. */
const balanceSchema = z
  .strictObject({
    balanceInCents: cents
      .nullable()
      .describe(
        "What it holds; of a `LIABILITY`, what is owed (positive is debt). Null when `error` is set.",
      ),
    availableBalanceInCents: cents
      .nullable()
      .describe("What can be spent; it differs while movements are pending."),
    lastStatementBalanceInCents: cents.nullable().describe("Liabilities only."),
    lastStatementDate: z.iso.date().nullable().describe("Liabilities only."),
    nextPaymentMinimumInCents: cents.nullable().describe("Liabilities only."),
    nextPaymentDueDate: z.iso.date().nullable().describe("Liabilities only."),
    balanceLastUpdatedAt: instant.nullable().describe("When it was last refreshed."),
    error: z.string().nullable().describe("Why the balance could not be had, as a code."),
    interestRatePercentage: z.number().nullable().describe("Liabilities only."),
    originalLoanAmountInCents: cents.nullable().describe("Loans only."),
  })
  .meta({ id: "Balance", description: "Every field is always present; each may be null." });

const detailShape = {
  routingNumber: z.string().nullable().describe("Masked to its last four digits."),
  bankAccountNumber: z.string().nullable().describe("Masked to its last four digits."),
  balance: balanceSchema.nullable().describe("Null when it is not available."),
  savingsTargetInCents: cents.nullable().describe("Pods with a savings goal only."),
};

const LINKED_ACCOUNT = "The liability account that a member linked to this pod by hand.";

/** Specification, Part 2, "AccountSummary": no balances, no numbers. */
export const accountSummarySchema = z
  .strictObject({
    ...linkedAccountSummaryShape,
    linkedAccount: z
      .strictObject(linkedAccountSummaryShape)
      .meta({ id: "LinkedAccountSummary" })
      .nullable()
      .describe(LINKED_ACCOUNT),
  })
  .meta({ id: "AccountSummary", description: "An account without balances and numbers." });

/** Specification, Part 2, "Account". */
export const accountSchema = z
  .strictObject({
    ...linkedAccountSummaryShape,
    ...detailShape,
    linkedAccount: z
      .strictObject({ ...linkedAccountSummaryShape, ...detailShape })
      .meta({ id: "LinkedAccount" })
      .nullable()
      .describe(LINKED_ACCOUNT),
  })
  .meta({ id: "Account", description: "An account with its balance and masked numbers." });

export type Balance = z.infer<typeof balanceSchema>;
export type AccountSummary = z.infer<typeof accountSummarySchema>;
export type Account = z.infer<typeof accountSchema>;

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

/** Specification, Part 2, "Beneficiary": who owns an account. */
export const beneficiarySchema = z.strictObject({
  id: z.uuid(),
  /** Legal name of a business; names of the owners of an individual's. */
  name: z.string(),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type Beneficiary = z.infer<typeof beneficiarySchema>;

/** What a member enters of a new one. */
export const newBeneficiarySchema = z.strictObject({
  name: plainText(200).trim().min(1, "must not be empty"),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type NewBeneficiary = z.infer<typeof newBeneficiarySchema>;

/** As many as one page of the list holds, so that every form can offer all of them. */
export const MAXIMUM_BENEFICIARIES = 100;
