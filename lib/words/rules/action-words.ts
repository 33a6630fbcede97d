import { formatCents } from "@/lib/contract/format-cents";
import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { accountName, percentWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** What an action moves, short, for drawings and lists: `27%`, `the rest`, `30%, at most $6,000.00 a month`. */
export function actionWords(action: RuleAction, limits: RuleDefinition["limits"]): string {
  const limit = findLimit(limits, action.limitId);
  const orLess = action.upTo && isStrict(action.type) ? " or what is available" : "";
  const most = limit ? `, at most ${limitWords(limit)}` : "";
  return `${amountWords(action)}${orLess}${most}`;
}

/** The same, shorter: a limit is only mentioned. */
export function shortActionWords(action: RuleAction): string {
  return `${amountWords(action)}${action.limitId === null ? "" : ", within its limit"}`;
}

function amountWords(action: RuleAction): string {
  switch (action.type) {
    case "FIXED":
      return formatCents(action.amountInCents);
    case "PERCENTAGE":
      return action.of === "SOURCE_BALANCE"
        ? `${percentWords(action.percentage)} of the balance`
        : percentWords(action.percentage);
    case "TOP_UP":
      return `up to ${formatCents(action.amountInCents)}`;
    case "ROUND_DOWN":
      return `above a multiple of ${formatCents(action.amountInCents)}`;
    case "REMAINDER":
      return action.keepInCents === 0 ? "the rest" : `the rest above ${formatCents(action.keepInCents)}`;
    case "NEXT_PAYMENT_MINIMUM":
      return "the minimum payment";
    case "LAST_STATEMENT_BALANCE":
      return "the last statement";
    case "TOTAL_AMOUNT_DUE":
      return "the full amount owed";
    case "PERCENTAGE_OF_LIABILITY":
      return `${percentWords(action.percentage)} of the amount owed`;
    case "SNOWBALL":
      return `${formatCents(action.amountInCents)}, smallest debt first`;
    case "AVALANCHE":
      return `${formatCents(action.amountInCents)}, highest interest first`;
  }
}

/** Whether it fails and ends the run if money is short; others take what is available (`evaluate`). */
export function isStrict(type: RuleAction["type"]): boolean {
  return type !== "TOP_UP" && type !== "ROUND_DOWN" && type !== "REMAINDER";
}

type Limit = RuleDefinition["limits"][number];

const PER = {
  TRANSFER: "at a time",
  DAY: "a day",
  WEEK: "a week",
  MONTH: "a month",
  YEAR: "a year",
} as const satisfies Record<Limit["period"], string>;

/** `$6,000.00 a month` */
export function limitWords({ amountInCents, period }: Limit): string {
  return `${formatCents(amountInCents)} ${PER[period]}`;
}

export function findLimit(limits: readonly Limit[], limitId: string | null): Limit | undefined {
  return limitId === null ? undefined : limits.find(({ id }) => id === limitId);
}

export interface OrderedAction {
  action: RuleAction;
  /** The index among the step's actions. */
  actionIndex: number;
}

/** A step's actions in run order (`evaluate`), one entry per group. */
export function groupsOf(actions: readonly RuleAction[]): OrderedAction[][] {
  const ordered = actions
    .map((action, actionIndex) => ({ action, actionIndex }))
    .sort((one, other) => one.action.group - other.action.group || one.actionIndex - other.actionIndex);
  const groups: OrderedAction[][] = [];
  for (const next of ordered) {
    const group = groups.at(-1);
    if (group?.[0]?.action.group === next.action.group) group.push(next);
    else groups.push([next]);
  }
  return groups;
}

/** What a step does, for drawings and diffs: `27% to Taxes, the rest to Operating`. */
export function stepSummary(
  { steps, limits }: Pick<RuleDefinition, "steps" | "limits">,
  stepIndex: number,
  names: AccountNames,
): string {
  return groupsOf(steps[stepIndex]?.actions ?? [])
    .flat()
    .map(({ action }) => {
      const to = joinWords(destinationsOf(action).map((id) => accountName(names, id)));
      return `${actionWords(action, limits)} to ${to}`;
    })
    .join(", ");
}
