import { z } from "zod";

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
export const balanceSchema = z
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
