import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { accountOf, counted, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import type { MandateConstraint } from "@/lib/contract/mandates/mandate";
import {
  type MandateForPrograms,
  mandateForProgramsSchema,
} from "@/lib/contract/mandates/mandate-for-programs";
import { type Page, pageOf } from "@/lib/contract/page";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";

const REASON_LENGTH = 300;

/** A page of mandates. */
export const describeMandates = describer(
  pageOf(mandateForProgramsSchema),
  (page: Page<MandateForPrograms>, { names }) =>
    describePage(
      page,
      {
        one: "mandate",
        many: "mandates",
        empty:
          "No mandates like that. If people approve the same transfers often, proposeMandate asks for one.",
        next: "createTransfer inside one in force is accepted at once; any other waits as your permissions say.",
      },
      (mandate) => describeInOneLine(mandate, names),
    ),
);

/** One mandate, with what to do next. */
export const describeMandate = describer(mandateForProgramsSchema, (mandate, { names }) =>
  [
    `Mandate ${mandate.id}: ${describeTerms(mandate, names)}. Status: ${mandate.state}.`,
    ...(mandate.reason === null ? [] : [`Reason given: ${quote(mandate.reason, REASON_LENGTH)}`]),
    ...describeState(mandate),
  ].join("\n"),
);

function describeInOneLine(mandate: MandateForPrograms, names: AccountNames): string {
  const { id, state, stoppedBy, approvalUrl } = mandate;
  return [
    `${state}${stoppedBy === null ? "" : `, but ${STOPPED[stoppedBy]}`}: ${describeTerms(mandate, names)}`,
    ...(state === "IN_FORCE" ? [`left: ${describeLeft(mandate)}`] : []),
    ...(approvalUrl === null ? [] : [`people sign it at ${approvalUrl}`]),
    `id ${id}`,
  ].join("; ");
}

/** Why nothing can use it now; the limits that depend on an amount never stop it whole. */
const STOPPED: Record<MandateConstraint, string> = {
  ROUTE: "it covers no route",
  NOT_YET: "it has not begun",
  OVER: "its last day is over",
  SIGNATURES: "it has to be signed again",
  DESTINATION_CHANGED: "a destination changed since it was signed, so it has to be signed again",
  BELOW_MINIMUM: "it allows no amount",
  ABOVE_MAXIMUM: "it allows no amount",
  USES: "its transfers are used up",
  RECURRENCE: "its transfers of this period are used up",
  DAYS_APART: "its last transfer was too few days ago",
  DAY: "nothing is left for today",
  WEEK: "nothing is left for this week",
  MONTH: "nothing is left for this month",
  THIRTY_DAYS: "nothing is left for now",
  TOTAL: "nothing is left",
  BALANCE: "its source holds too little",
};

function describeTerms({ terms }: MandateForPrograms, names: AccountNames): string {
  const accounts = (ids: readonly string[]) => ids.map((id) => accountOf(id, names)).join(", ");
  const { recurrence, purpose } = terms;
  const budgets = (
    [
      ["dayInCents", "a day"],
      ["weekInCents", "a week"],
      ["monthInCents", "a month"],
      ["thirtyDaysInCents", "in any 30 days"],
      ["totalInCents", "in all"],
    ] as const
  ).flatMap(([name, period]) => {
    const cents = terms[name];
    return cents === null ? [] : [`at most ${formatCents(cents)} ${period}`];
  });
  return [
    `from ${accounts(terms.sourceAccountIds)} to ${accounts(terms.destinationAccountIds)}`,
    terms.minimumInCents === null
      ? `up to ${formatCents(terms.maximumInCents)} each`
      : `${formatCents(terms.minimumInCents)} to ${formatCents(terms.maximumInCents)} each`,
    ...budgets,
    ...(terms.maximumUses === null ? [] : [`at most ${counted(terms.maximumUses, "transfer")}`]),
    ...(recurrence === null ? [] : [describeRecurrence(recurrence)]),
    ...(terms.keepsInCents === null ? [] : [`the source keeps ${formatCents(terms.keepsInCents)}`]),
    `${terms.from} to ${terms.until}`,
    ...(purpose === null ? [] : [`for ${quote(purpose, REASON_LENGTH)}`]),
  ].join(", ");
}

function describeRecurrence({
  period,
  atMost,
  daysApart,
}: NonNullable<MandateForPrograms["terms"]["recurrence"]>): string {
  const apart = daysApart === null ? "" : `, ${counted(daysApart, "day")} apart`;
  return `at most ${atMost} a ${period.toLowerCase()}${apart}`;
}

/** Each limit that has a number, with what is left of it. */
function describeLeft({ left }: MandateForPrograms): string {
  const parts: [number | null, string][] = [
    [left.dayInCents, "today"],
    [left.weekInCents, "this week"],
    [left.monthInCents, "this month"],
    [left.thirtyDaysInCents, "within 30 days"],
    [left.totalInCents, "in all"],
  ];
  return [
    ...parts.flatMap(([cents, when]) => (cents === null ? [] : [`${formatCents(cents)} ${when}`])),
    ...(left.usesInPeriod === null ? [] : [`${counted(left.usesInPeriod, "transfer")} in this period`]),
    counted(left.uses, "transfer"),
  ].join(", ");
}

function describeState(mandate: MandateForPrograms): string[] {
  const { state, stoppedBy, approvalUrl, expiresAt } = mandate;
  switch (state) {
    case "WAITING":
      return [
        "Nothing has changed: your transfers wait for a person until people have signed it. They may narrow it first.",
        ...(approvalUrl === null ? [] : [`Next: give this address to an owner or co-owner: ${approvalUrl}`]),
        ...(expiresAt === null ? [] : [`It can be signed until ${utcMoment(expiresAt)}.`]),
        "Do not propose it again while it waits.",
      ];
    case "IN_FORCE":
      return stoppedBy === null
        ? [`Left: ${describeLeft(mandate)}. What falls inside is accepted at once.`]
        : [`No transfer can use it now: ${STOPPED[stoppedBy]}.`];
    case "ENDED":
      return ["It has ended: your transfers wait for a person again."];
    case "DENIED":
      return [
        "It was declined or withdrawn, and never counted.",
        "Next: do not propose it again on your own. Ask the person.",
      ];
    case "EXPIRED":
      return ["Nobody signed it in time.", "Next: ask the person before you propose it again."];
  }
}
