import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { counted, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { type FinancialProfile, financialProfileSchema } from "@/lib/contract/financial-profile";
import { formatCents } from "@/lib/contract/format-cents";

/** Streams, bills and goals shown; the rest are in the structured content. */
const ITEMS_SHOWN = 12;
const MONTHS_SHOWN = 24;

type Stream = FinancialProfile["income"]["streams"][number];

/** The financial profile: sums, and what they are based on. */
export const describeProfile = describer(financialProfileSchema, (profile) =>
  [
    `Financial profile from ${utcMoment(profile.window.from)} to ${utcMoment(profile.window.to)}, in US dollars. Sums only; transfers between own accounts and card payments count as neither income nor spending.`,
    ...describeCoverage(profile.coverage),
    `Income: ${formatCents(profile.income.totalInCents)}, ${formatCents(profile.income.monthlyAverageInCents)} a month.`,
    ...listed(profile.income.streams, describeStream),
    `Recurring bills: ${formatCents(profile.recurringBills.monthlyTotalInCents)} a month.`,
    ...listed(profile.recurringBills.items, describeBill),
    `Fees: ${formatCents(profile.fees.totalInCents)}.`,
    ...listed(
      profile.fees.byKind,
      ({ kind, amountInCents, count }) =>
        `${words(kind)}: ${formatCents(amountInCents)}, ${counted(count, "time")}`,
    ),
    ...describeSavings(profile.savings),
    `Discretionary spending: ${formatCents(profile.discretionary.totalInCents)}, ${formatCents(profile.discretionary.monthlyAverageInCents)} a month, ${percent(profile.discretionary.share)} of all spending.`,
    "Spending by category:",
    ...listed(
      profile.categoryBreakdown.filter(({ amountInCents }) => amountInCents !== 0),
      ({ category, amountInCents, share, transactionCount }) =>
        `${words(category)}: ${formatCents(amountInCents)}, ${percent(share)}, ${counted(transactionCount, "transaction")}`,
    ),
    "Cash flow by month:",
    ...listed(
      profile.cashFlow.months.slice(-MONTHS_SHOWN),
      ({ month, inInCents, outInCents, netInCents }) =>
        `${month}: ${formatCents(inInCents)} in, ${formatCents(outInCents)} out, net ${formatCents(netInCents, "whenPositive")}`,
      MONTHS_SHOWN,
    ),
  ].join("\n"),
);

/** Figures without their gaps would be taken for the whole. */
function describeCoverage({
  accounts,
  staleConnections,
  firstDate,
  transactionCount,
  uncategorizedShare,
}: FinancialProfile["coverage"]): string[] {
  const stale = staleConnections.map(
    ({ institutionName, status }) =>
      `Transactions of ${quote(institutionName)} may be missing (${words(status)}): a person has to check that connection.`,
  );
  return [
    firstDate === null
      ? "These accounts have no transactions yet, so the figures say nothing."
      : `Based on ${counted(transactionCount, "transaction")} of ${counted(accounts.length, "account")} since ${firstDate}; ${percent(uncategorizedShare)} of the purchases have no category.`,
    ...stale.slice(0, ITEMS_SHOWN),
  ];
}

function describeStream(stream: Stream): string {
  const next = stream.nextExpectedDate === null ? "" : `, next expected ${stream.nextExpectedDate}`;
  const ended = stream.status === "ENDED" ? ", ended" : "";
  return `${quote(stream.name)}: ${formatCents(stream.averageInCents)} ${words(stream.frequency)}, last ${stream.lastDate}${next}${ended}`;
}

function describeBill(bill: FinancialProfile["recurringBills"]["items"][number]): string {
  const change =
    bill.priceChangeInCents === 0
      ? ""
      : `, changed by ${formatCents(bill.priceChangeInCents, "whenPositive")} the last time`;
  return `${describeStream(bill)}, ${words(bill.category)}${change}`;
}

function describeSavings({ netTransferredInCents, rate, targets }: FinancialProfile["savings"]): string[] {
  const ofIncome = rate === null ? "" : `, ${percent(rate)} of the income`;
  return [
    `Set aside: ${formatCents(netTransferredInCents)}${ofIncome}.`,
    ...listed(
      targets,
      ({ name, accountId, targetInCents, balanceInCents, share }) =>
        `${quote(name)}: ${formatCents(balanceInCents)} of ${formatCents(targetInCents)}, ${percent(share)}; id ${accountId}`,
    ),
  ];
}

function listed<Item>(
  items: readonly Item[],
  describe: (item: Item) => string,
  shown = ITEMS_SHOWN,
): string[] {
  const lines = items.slice(0, shown).map((item) => `- ${describe(item)}`);
  const more = items.length - lines.length;
  return more > 0 ? [...lines, `- and ${more} more, in the structured content`] : lines;
}

/** `EVERY_OTHER_WEEK` reads `every other week`. */
const words = (name: string) => name.toLowerCase().replaceAll("_", " ");

/** A share of 0 to 1 with one decimal: `13.3 %`. */
const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
