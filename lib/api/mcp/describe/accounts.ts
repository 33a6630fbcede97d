import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { asSentence, describeLookAlike, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import {
  type Account,
  type AccountBalance,
  type AccountSummary,
  accountBalanceSchema,
  accountSchema,
  accountSummarySchema,
  type Balance,
  type Beneficiary,
  beneficiarySchema,
  managedMoneySchema,
} from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import { type Page, pageOf } from "@/lib/contract/page";

const DESCRIPTION_LENGTH = 100;

/** Fields shared by all accounts, linked ones included. */
type Named = Omit<AccountSummary, "linkedAccount" | "lookAlike">;
type Held = Pick<Account, "balance" | "externalAccountType">;

/** A page of accounts. */
export const describeAccounts = describer(pageOf(accountSummarySchema), (page: Page<AccountSummary>) =>
  describePage(
    page,
    {
      one: "account",
      many: "accounts",
      empty:
        "No accounts: the organization has none of this kind. Leave out type and state to see all. createAccount opens a pod; connectExternalAccount explains how to connect an account at another bank.",
      next: "getAccount with an id returns the balance.",
    },
    (account) => {
      const description =
        account.description === null ? [] : [quote(account.description, DESCRIPTION_LENGTH)];
      return [
        `${quote(account.name)}, ${describeKind(account)}`,
        ...description,
        ...describeUse(account),
        ...describeLookAlike(account.lookAlike),
        `id ${account.id}`,
      ].join("; ");
    },
  ),
);

/** One account with its balance. */
export const describeAccount = describer(accountSchema, (account, { appUrl }) =>
  [
    ...describeAccountLines(account),
    ...describeLinked(account.linkedAccount),
    `Its page, for a person: ${appUrl}/accounts/${account.id}`,
  ].join("\n"),
);

/** A page of balances, after the sums. */
export const describeBalances = describer(
  pageOf(accountBalanceSchema).extend({ managed: managedMoneySchema }),
  ({ managed, ...page }) =>
    [
      `Managed by Sluice, in all accounts that you may read: ${formatCents(managed.balanceInCents)}, of which ${formatCents(managed.availableBalanceInCents)} is available; ${formatCents(managed.arrivingInCents)} is arriving and ${formatCents(managed.leavingInCents)} is leaving. Connected accounts are not included.`,
      describePage(
        page,
        { one: "balance", many: "balances", empty: "No accounts that you may read." },
        (account) =>
          [
            `${quote(account.name)}, ${kindWords(account.type, account.externalAccountType)}${account.isClosed ? ", closed" : ""}`,
            ...describeBalance(account).map((sentence) => sentence.replace(/\.$/, "")),
            ...describeOnItsWay(account),
            ...describeLookAlike(account.lookAlike),
            `id ${account.accountId}`,
          ].join("; "),
      ),
    ].join("\n"),
);

function describeOnItsWay(account: AccountBalance): string[] {
  const paid = account.paymentsOnTheirWayInCents ?? 0;
  const arriving = account.arrivingInCents ?? 0;
  return [
    ...(paid === 0 ? [] : [`payments of ${formatCents(paid)} are on their way`]),
    ...(arriving === 0 ? [] : [`${formatCents(arriving)} is arriving`]),
  ];
}

/** An account that was just opened. */
export const describeNewAccount = describer(accountSchema, (account, { mayCall }) =>
  [
    `Opened: ${quote(account.name)}, ${describeKind(account)}, id ${account.id}. It holds ${formatCents(account.balance?.balanceInCents ?? 0)}.`,
    ...describeLookAlike(account.lookAlike).map(asSentence),
    account.type === "INCOME_SOURCE"
      ? `Next: the bank assigns its account numbers in a moment${mayCall("getAccount") ? `: call getAccount with id: "${account.id}" after a few seconds to see their last digits` : "; its page shows them to people"}. Programs never get the full numbers.`
      : "Next: fund it with createTransfer, or with a rule (createRule).",
  ].join("\n"),
);

function describeAccountLines(account: Account): string[] {
  const owner = account.beneficiaryName === null ? [] : [`It belongs to ${quote(account.beneficiaryName)}.`];
  const description =
    account.description === null ? [] : [`Described as ${quote(account.description, 200)}.`];
  return [
    `${quote(account.name)}, ${describeKind(account)}, id ${account.id}.`,
    ...description,
    ...owner,
    ...describeBalance(account),
    ...describeTarget(account),
    ...describeUse(account).map((use) => `It is ${use}.`),
    ...describeLookAlike(account.lookAlike).map(asSentence),
  ];
}

function describeKind({ type, externalAccountType, institutionName, deletedAt }: Named): string {
  const at = institutionName === null ? "" : ` at ${quote(institutionName)}`;
  const closed = deletedAt === null ? "" : `, closed since ${utcMoment(deletedAt)}`;
  return `${kindWords(type, externalAccountType)}${at}${closed}`;
}

function kindWords(type: Named["type"], external: Named["externalAccountType"]): string {
  if (type === "POD") return "a pod (managed by Sluice)";
  if (type === "INCOME_SOURCE") return "an income source (managed by Sluice)";
  switch (external) {
    case "LIABILITY":
      return "a debt (credit card or loan), connected";
    case "INVESTMENT":
      return "an investment account, connected";
    default:
      return "a bank account, connected";
  }
}

/** Only deviations from the usual. */
function describeUse({ canBeSource, canBeDestination }: Named): string[] {
  if (!canBeSource && !canBeDestination) return ["neither a source nor a destination"];
  if (!canBeSource) return ["a destination only"];
  return canBeDestination ? [] : ["a source only"];
}

function describeBalance({ balance, externalAccountType }: Held): string[] {
  if (balance === null || balance.balanceInCents === null) {
    const why = balance?.error == null ? "" : ` (${quote(balance.error)})`;
    return [
      `Its balance is currently unknown${why}. Unknown is not zero: do not plan with it. Ask the person to check the connection in the dashboard, or read it again in a few hours.`,
    ];
  }
  const asOf =
    balance.balanceLastUpdatedAt === null ? "" : `, as of ${utcMoment(balance.balanceLastUpdatedAt)}`;
  const amount = formatCents(balance.balanceInCents);
  if (externalAccountType === "LIABILITY") return [`Owed on it: ${amount}${asOf}.`, ...describeDebt(balance)];
  return [`It holds ${amount}${describeAvailable(balance)}${asOf}.`];
}

function describeAvailable({ availableBalanceInCents }: Balance): string {
  return availableBalanceInCents === null
    ? "; the spendable part is unknown"
    : `, of which ${formatCents(availableBalanceInCents)} is available`;
}

function describeDebt(balance: Balance): string[] {
  const { nextPaymentMinimumInCents: minimum, nextPaymentDueDate: due } = balance;
  const statement = balance.lastStatementBalanceInCents;
  const statementDate = balance.lastStatementDate === null ? "" : ` of ${balance.lastStatementDate}`;
  const original = balance.originalLoanAmountInCents;
  return [
    ...(minimum === null
      ? []
      : [`The next payment is at least ${formatCents(minimum)}${due ? `, due on ${due}` : ""}.`]),
    ...(minimum === null && due !== null ? [`The next payment is due on ${due}.`] : []),
    ...(statement === null ? [] : [`The last statement${statementDate}: ${formatCents(statement)}.`]),
    ...(balance.interestRatePercentage === null
      ? []
      : [`Interest: ${balance.interestRatePercentage} % a year.`]),
    ...(original === null ? [] : [`The original loan was ${formatCents(original)}.`]),
  ];
}

function describeTarget({
  savingsTargetInCents: target,
  balance,
}: Pick<Account, "savingsTargetInCents" | "balance">) {
  if (target === null) return [];
  const held = balance?.balanceInCents ?? null;
  const lacks = held === null ? "" : held >= target ? ", reached" : `; ${formatCents(target - held)} to go`;
  return [`Its goal is ${formatCents(target)}${lacks}.`];
}

function describeLinked(linked: Account["linkedAccount"]): string[] {
  if (linked === null) return [];
  return [
    `It is linked to ${quote(linked.name)}, ${describeKind(linked)}, id ${linked.id}.`,
    ...describeBalance(linked),
  ];
}

/** A page of possible owners of accounts. */
export const describeBeneficiaries = describer(pageOf(beneficiarySchema), (page: Page<Beneficiary>) =>
  describePage(
    page,
    {
      one: "beneficiary",
      many: "beneficiaries",
      empty: "No beneficiaries yet. addBusinessBeneficiary explains how a person adds a business.",
      next: "Pass an id as beneficiaryId to createAccount; without it the account belongs to the default beneficiary.",
    },
    ({ id, name, beneficiaryType }) =>
      `${quote(name)}, ${beneficiaryType === "BUSINESS" ? "a business" : "a person"}; id ${id}`,
  ),
);
