import { teller } from "@/lib/api/mcp/describe/answer-describer";
import { type ListWords, tellPage } from "@/lib/api/mcp/describe/list-page";
import {
  accountOf,
  quote,
  tellMoment,
  tellParty,
  tellPartyWithId,
  tellWindow,
} from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import { dateWindowSchema, type Page, pageOf } from "@/lib/contract/page";
import {
  type CardTransaction,
  cardTransactionSchema,
  type ExternalTransaction,
  externalTransactionSchema,
  type FlowDirection,
} from "@/lib/contract/transactions";

/** Merchants and banks write these: the words that are furthest from anybody we know. */
const DESCRIPTION_LENGTH = 100;

const CARD_WORDS: ListWords = {
  one: "card transaction",
  many: "card transactions",
  empty:
    "No card transactions as you asked. Only settled ones are listed: a purchase of the last days may not have settled yet. Leave cardId, accountId and dates out to see all.",
};

const EXTERNAL_WORDS: ListWords = {
  one: "external transaction",
  many: "external transactions",
  empty:
    "No transactions on connected accounts in this time. They are read about once a day and reach back at most 90 days; listAccounts shows whether any account is connected.",
};

/** A page of card transactions. */
export const tellCardTransactions = teller(pageOf(cardTransactionSchema), (page: Page<CardTransaction>) =>
  tellPage(page, CARD_WORDS, (transaction) =>
    [
      `${tellFlow(transaction)}, ${transaction.subtype.toLowerCase()}, ${tellWords(transaction.description)}`,
      `on ${tellParty(transaction.account)}`,
      tellMoment(transaction.completedAt),
      `id ${transaction.id}`,
    ].join("; "),
  ),
);

/** One card transaction. */
export const tellCardTransaction = teller(cardTransactionSchema, (transaction) =>
  [
    `Card transaction ${transaction.id}: ${tellFlow(transaction)}, a ${transaction.subtype.toLowerCase()}, ${tellWords(transaction.description)}.`,
    `It ${transaction.direction === "MONEY_OUT" ? "was paid from" : "went to"} ${tellPartyWithId(transaction.account)}, by card ${transaction.cardId}.`,
    `It settled at ${tellMoment(transaction.completedAt)}. It is final; a refund would be a transaction of its own.`,
  ].join("\n"),
);

/** A page of external transactions, and of which time they are. */
export const tellExternalTransactions = teller(
  pageOf(externalTransactionSchema).extend({ window: dateWindowSchema }),
  ({ window, ...page }, _, names) =>
    [
      tellPage(page, EXTERNAL_WORDS, (transaction) =>
        [
          `${tellFlow(transaction)}, ${tellWords(transaction.merchantName ?? transaction.description)}`,
          ...tellCategory(transaction),
          tellPosted(transaction),
          `on ${accountOf(transaction.accountId, names)}`,
          `id ${transaction.id}`,
        ].join("; "),
      ),
      tellWindow(window),
    ].join("\n"),
);

/** One external transaction. */
export const tellExternalTransaction = teller(externalTransactionSchema, (transaction, _, names) => {
  const { merchantName, description } = transaction;
  const merchant = merchantName === null ? [] : [`Merchant: ${quote(merchantName)}.`];
  return [
    `External transaction ${transaction.id}: ${tellFlow(transaction)} on ${accountOf(transaction.accountId, names)}, ${tellPosted(transaction)}.`,
    `The bank says: ${tellWords(description)}.`,
    ...merchant,
    ...tellCategory(transaction).map((category) => `Category: ${category}.`),
    transaction.status === "PENDING"
      ? "It is pending: amount and words may change, and it may go away. Look again tomorrow; connected accounts are read about once a day."
      : "It is posted. Sluice saw it and did not make it.",
  ].join("\n");
});

function tellFlow({ direction, amountInCents }: { direction: FlowDirection; amountInCents: number }): string {
  return `${formatCents(amountInCents)} ${direction === "MONEY_OUT" ? "out" : "in"}`;
}

const tellWords = (words: string) =>
  words.trim() === "" ? "without a description" : quote(words, DESCRIPTION_LENGTH);

function tellCategory({ category }: ExternalTransaction): string[] {
  return category === null ? [] : [category.toLowerCase().replaceAll("_", " ")];
}

function tellPosted({ status, transactionDate }: ExternalTransaction): string {
  return `${status === "PENDING" ? "pending" : "posted"} ${tellMoment(transactionDate)}`;
}
