import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { centsBetween } from "@/lib/contract/input/cents";
import { lookAlikeSchema } from "@/lib/contract/input/look-alike";
import {
  MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS,
  MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH,
  MAXIMUM_ACCOUNT_NAME_LENGTH,
} from "@/lib/contract/limits";
import { nameText, plainText } from "@/lib/contract/plain-text";

/** A reason why an account cannot be closed yet. */
export type ClosingBlocker =
  | { kind: "BALANCE"; balanceInCents: number }
  | { kind: "ON_ITS_WAY"; count: number }
  | { kind: "WAITING"; count: number }
  | { kind: "CARDS"; count: number }
  /** The first of them by their names. */
  | { kind: "RULES"; count: number; rules: { href: string; name: string }[] };

/** The money in Sluice's own books. The overview and the accounts page show the same. */
export interface InSluiceView {
  /** All income sources and pods, including closed ones that the bank booked something into. */
  totalInCents: number;
  /** The part in closed accounts. */
  closedInCents: number;
  /** Open income sources and pods. */
  accountCount: number;
}

/** The kinds of account that a transfer can touch; `EXTERNAL_ENTITY` is a counterparty outside the organization. */
export type AccountKind = "INCOME_SOURCE" | "POD" | "EXTERNAL_ACCOUNT" | "LIABILITY" | "EXTERNAL_ENTITY";

/** One end of a movement, named. */
export interface AccountRefView {
  /** Null for a counterparty outside the organization. */
  id: string | null;
  name: string;
  kind: AccountKind;
}

export const accountTypeSchema = z.enum(["POD", "INCOME_SOURCE", "EXTERNAL_ACCOUNT"]).meta({
  id: "AccountType",
  description:
    "`POD`: a managed account for routing and saving. `INCOME_SOURCE`: a special pod where outside funds enter. `EXTERNAL_ACCOUNT`: at another institution, not managed.",
});
export type AccountType = z.infer<typeof accountTypeSchema>;

export const externalAccountTypeSchema = z.enum(["DEPOSITORY", "INVESTMENT", "LIABILITY"]);
export type ExternalAccountType = z.infer<typeof externalAccountTypeSchema>;

const cents = z.int();
const instant = z.iso.datetime();

const linkedAccountSummaryShape = {
  id: z.uuid(),
  name: z.string(),
  type: accountTypeSchema,
  description: z.string().nullable().describe("The label set by a member."),
  externalAccountType: externalAccountTypeSchema.nullable().describe("Null for `POD` and `INCOME_SOURCE`."),
  beneficiaryName: z.string().nullable().describe("The owner of the money."),
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
        "The money it holds; for a `LIABILITY`, the amount owed (positive is debt). Null when `error` is set.",
      ),
    availableBalanceInCents: cents
      .nullable()
      .describe("The spendable amount; differs while movements are pending."),
    lastStatementBalanceInCents: cents.nullable().describe("Liabilities only."),
    lastStatementDate: z.iso.date().nullable().describe("Liabilities only."),
    nextPaymentMinimumInCents: cents.nullable().describe("Liabilities only."),
    nextPaymentDueDate: z.iso.date().nullable().describe("Liabilities only."),
    balanceLastUpdatedAt: instant.nullable().describe("When it was last refreshed."),
    error: z.string().nullable().describe("Why the balance is unavailable, as a code."),
    interestRatePercentage: z.number().nullable().describe("Liabilities only."),
    originalLoanAmountInCents: cents.nullable().describe("Loans only."),
  })
  .meta({ id: "Balance", description: "Every field is always present; each may be null." });

const detailShape = {
  routingNumber: z.string().nullable().describe("Masked to its last four digits."),
  bankAccountNumber: z.string().nullable().describe("Masked to its last four digits."),
  balance: balanceSchema.nullable().describe("Null when unavailable."),
  savingsTargetInCents: cents.nullable().describe("Pods with a savings goal only."),
};

const lookAlike = lookAlikeSchema
  .nullable()
  .describe(
    "A payee or another account whose name looks the same as this one's: say its id to a person as well. Null: there is none.",
  );

const LINKED_ACCOUNT = "The liability account that a member linked to this pod.";

/** Specification, Part 2, "AccountSummary": no balances, no numbers. */
export const accountSummarySchema = z
  .strictObject({
    ...linkedAccountSummaryShape,
    lookAlike,
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
    lookAlike,
    linkedAccount: z
      .strictObject({ ...linkedAccountSummaryShape, ...detailShape })
      .meta({ id: "LinkedAccount" })
      .nullable()
      .describe(LINKED_ACCOUNT),
  })
  .meta({ id: "Account", description: "An account with its balance and masked numbers." });

/** An account with its balance and what is on its way, in a list of several. */
export const accountBalanceSchema = z
  .strictObject({
    accountId: z.uuid(),
    name: z.string(),
    type: accountTypeSchema,
    externalAccountType: externalAccountTypeSchema.nullable().describe("Null for managed accounts."),
    isClosed: z.boolean(),
    lookAlike,
    balance: balanceSchema.nullable().describe("Null when unavailable."),
    arrivingInCents: cents
      .nullable()
      .describe("Accepted transfers to it that it does not show yet; null for a liability."),
    leavingInCents: cents.nullable().describe("Held for transfers and cards; null if it is not managed."),
    paymentsOnTheirWayInCents: cents
      .nullable()
      .describe("Liabilities only: payments that `balanceInCents` does not show yet."),
  })
  .meta({ id: "AccountBalance" });
export type AccountBalance = z.infer<typeof accountBalanceSchema>;

/** The managed accounts that a caller may read, added up. */
export const managedMoneySchema = z
  .strictObject({
    balanceInCents: cents,
    availableBalanceInCents: cents,
    arrivingInCents: cents.describe("On its way to them. Between two of them it also counts as leaving."),
    leavingInCents: cents.describe("Held for transfers and cards."),
  })
  .meta({
    id: "ManagedMoney",
    description: "Sums over all managed accounts that you may read, on whichever page they are.",
  });

export type Balance = z.infer<typeof balanceSchema>;
export type AccountSummary = z.infer<typeof accountSummarySchema>;
export type Account = z.infer<typeof accountSchema>;

/** What callers state when they open or change an account; shared by API, form and command. */

export const accountNameSchema = nameText(MAXIMUM_ACCOUNT_NAME_LENGTH);

const accountDescriptionSchema = plainText(MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH).trim();

const positiveCents = centsBetween(1, MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS);

/** Body of `POST /accounts` (specification, Part 4, "Accounts"). */
export const createAccountBodySchema = z
  .strictObject({
    type: z
      .enum(["POD", "INCOME_SOURCE"], "must be POD or INCOME_SOURCE")
      .describe("`POD`: for routing and saving. `INCOME_SOURCE`: where outside money enters."),
    name: accountNameSchema.describe("The name that people know it by."),
    description: accountDescriptionSchema.optional().describe("Its purpose."),
    beneficiaryId: z
      .guid("must be the UUID of a beneficiary")
      .toLowerCase()
      .optional()
      .describe("The owner; the default beneficiary if omitted."),
    savingsTargetInCents: positiveCents.optional().describe("A savings target for a pod, in cents."),
  })
  .refine((body) => body.type === "POD" || body.savingsTargetInCents === undefined, {
    path: ["savingsTargetInCents"],
    message: "is for PODs only",
    when: onceReadable("type", "savingsTargetInCents"),
  })
  .meta({ dependentSchemas: { savingsTargetInCents: { properties: { type: { const: "POD" } } } } });
export type CreateAccountBody = z.output<typeof createAccountBodySchema>;

/** A member's new account: the same fields, plus the floor. */
export const newAccountSchema = createAccountBodySchema.safeExtend({
  floorInCents: positiveCents.nullable(),
});
export type NewAccountInput = z.output<typeof newAccountSchema>;

/** Everything a member may change; null for what this kind of account does not have. */
export const editAccountSchema = z.strictObject({
  accountId: z.uuid(),
  /** `updatedAt` of the version that the member saw, so that two members do not overwrite each other unseen. */
  seenUpdatedAt: z.iso.datetime(),
  name: accountNameSchema,
  description: accountDescriptionSchema.nullable(),
  floorInCents: positiveCents.nullable(),
  savingsTargetInCents: positiveCents.nullable(),
  linkedAccountId: z.uuid("must be one of the accounts").nullable(),
});
export type EditAccountInput = z.output<typeof editAccountSchema>;

/** Specification, Part 2, "Beneficiary": the owner of an account. */
export const beneficiarySchema = z.strictObject({
  id: z.uuid(),
  /** Legal name of a business; names of the owners for an individual. */
  name: z.string(),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type Beneficiary = z.infer<typeof beneficiarySchema>;

/** What a member enters for a new one. */
export const newBeneficiarySchema = z.strictObject({
  name: nameText(200),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});

/** One page of the list, so that every form can offer all of them. */
export const MAXIMUM_BENEFICIARIES = 100;
