import { z } from "zod";

export const accountTypeSchema = z.enum(["POD", "INCOME_SOURCE", "EXTERNAL_ACCOUNT"]);
export type AccountType = z.infer<typeof accountTypeSchema>;

export const externalAccountTypeSchema = z.enum(["DEPOSITORY", "INVESTMENT", "LIABILITY"]);
export type ExternalAccountType = z.infer<typeof externalAccountTypeSchema>;

const cents = z.int();
const instant = z.iso.datetime();

const linkedAccountSummaryShape = {
  id: z.uuid(),
  name: z.string(),
  type: accountTypeSchema,
  description: z.string().nullable(),
  externalAccountType: externalAccountTypeSchema.nullable(),
  beneficiaryName: z.string().nullable(),
  institutionName: z.string().nullable(),
  canBeSource: z.boolean(),
  canBeDestination: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable(),
};

/** Specification, Part 2, "Balance". Every field is always present. */
export const balanceSchema = z.strictObject({
  balanceInCents: cents.nullable(),
  availableBalanceInCents: cents.nullable(),
  lastStatementBalanceInCents: cents.nullable(),
  lastStatementDate: z.iso.date().nullable(),
  nextPaymentMinimumInCents: cents.nullable(),
  nextPaymentDueDate: z.iso.date().nullable(),
  balanceLastUpdatedAt: instant.nullable(),
  error: z.string().nullable(),
  interestRatePercentage: z.number().nullable(),
  originalLoanAmountInCents: cents.nullable(),
});

const detailShape = {
  routingNumber: z.string().nullable(),
  bankAccountNumber: z.string().nullable(),
  balance: balanceSchema.nullable(),
  savingsTargetInCents: cents.nullable(),
};

/** Specification, Part 2, "AccountSummary": no balances, no numbers. */
export const accountSummarySchema = z.strictObject({
  ...linkedAccountSummaryShape,
  linkedAccount: z.strictObject(linkedAccountSummaryShape).nullable(),
});

/** Specification, Part 2, "Account". */
export const accountSchema = z.strictObject({
  ...linkedAccountSummaryShape,
  ...detailShape,
  linkedAccount: z.strictObject({ ...linkedAccountSummaryShape, ...detailShape }).nullable(),
});

export type Balance = z.infer<typeof balanceSchema>;
export type AccountSummary = z.infer<typeof accountSummarySchema>;
export type Account = z.infer<typeof accountSchema>;
