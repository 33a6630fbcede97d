import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage, describeSummary, type ListWords } from "@/lib/api/mcp/describe/list-page";
import {
  accountOf,
  describeWindow,
  partyName,
  partyWithId,
  quote,
  utcMoment,
} from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import { dateWindowSchema, pageOf } from "@/lib/contract/page";
import { withSummary } from "@/lib/contract/search/list-filters";
import {
  cardTransactionSchema,
  type ExternalTransaction,
  externalTransactionSchema,
  type FlowDirection,
} from "@/lib/contract/transactions";

/** Written by merchants and banks: the least trusted words of all. */
const DESCRIPTION_LENGTH = 100;

const CARD_WORDS: ListWords = {
  one: "card transaction",
  many: "card transactions",
  empty:
    "No card transactions match. Only settled ones are listed: a recent purchase may not have settled yet. Leave out cardId, accountId and dates to see all.",
};

const EXTERNAL_WORDS: ListWords = {
  one: "external transaction",
  many: "external transactions",
  empty:
    "No transactions on connected accounts in this range. They are read about once a day and reach back at most 90 days; listAccounts shows whether any account is connected.",
};

/** A page of card transactions. */
export const describeCardTransactions = describer(
  pageOf(cardTransactionSchema).extend(withSummary),
  ({ summary, ...page }) =>
    [
      ...describeSummary(summary),
      describePage(page, CARD_WORDS, (transaction) =>
        [
          `${describeFlow(transaction)}, ${transaction.subtype.toLowerCase()}, ${describeWords(transaction.description)}`,
          `on ${partyName(transaction.account)}`,
          utcMoment(transaction.completedAt),
          `id ${transaction.id}`,
        ].join("; "),
      ),
    ].join("\n"),
);

/** One card transaction. */
export const describeCardTransaction = describer(cardTransactionSchema, (transaction) =>
  [
    `Card transaction ${transaction.id}: ${describeFlow(transaction)}, a ${transaction.subtype.toLowerCase()}, ${describeWords(transaction.description)}.`,
    `It ${transaction.direction === "MONEY_OUT" ? "was paid from" : "went to"} ${partyWithId(transaction.account)}, by card ${transaction.cardId}.`,
    `It settled at ${utcMoment(transaction.completedAt)} and is final; a refund would be a separate transaction.`,
  ].join("\n"),
);

/** A page of external transactions, with the range it covers. */
export const describeExternalTransactions = describer(
  pageOf(externalTransactionSchema).extend({ window: dateWindowSchema, ...withSummary }),
  ({ window, summary, ...page }, { names }) =>
    [
      ...describeSummary(summary),
      describePage(page, EXTERNAL_WORDS, (transaction) =>
        [
          `${describeFlow(transaction)}, ${describeWords(transaction.merchantName ?? transaction.description)}`,
          ...describeCategory(transaction),
          describePosted(transaction),
          `on ${accountOf(transaction.accountId, names)}`,
          `id ${transaction.id}`,
        ].join("; "),
      ),
      describeWindow(window),
    ].join("\n"),
);

/** One external transaction. */
export const describeExternalTransaction = describer(externalTransactionSchema, (transaction, { names }) => {
  const { merchantName, description } = transaction;
  const merchant = merchantName === null ? [] : [`Merchant: ${quote(merchantName)}.`];
  return [
    `External transaction ${transaction.id}: ${describeFlow(transaction)} on ${accountOf(transaction.accountId, names)}, ${describePosted(transaction)}.`,
    `The bank's description: ${describeWords(description)}.`,
    ...merchant,
    ...describeCategory(transaction).map((category) => `Category: ${category}.`),
    transaction.status === "PENDING"
      ? "It is pending: amount and description may change, and it may disappear. Check again tomorrow; connected accounts are read about once a day."
      : "It is posted. Sluice saw it but did not make it.",
  ].join("\n");
});

function describeFlow({
  direction,
  amountInCents,
}: {
  direction: FlowDirection;
  amountInCents: number;
}): string {
  return `${formatCents(amountInCents)} ${direction === "MONEY_OUT" ? "out" : "in"}`;
}

const describeWords = (words: string) =>
  words.trim() === "" ? "without a description" : quote(words, DESCRIPTION_LENGTH);

function describeCategory({ category }: ExternalTransaction): string[] {
  return category === null ? [] : [category.toLowerCase().replaceAll("_", " ")];
}

function describePosted({ status, transactionDate }: ExternalTransaction): string {
  return `${status === "PENDING" ? "pending" : "posted"} ${utcMoment(transactionDate)}`;
}
