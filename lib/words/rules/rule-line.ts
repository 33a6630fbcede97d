import { formatCents } from "@/lib/contract/format-cents";
import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import { percentagesOf } from "@/lib/contract/rules/percentages-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { RuleConditions } from "@/lib/engine/check-conditions";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { comparisonWords, onlyComparison } from "@/lib/words/rules/condition-words";
import { accountName, areAllPods, numberWords, percentWords } from "@/lib/words/rules/number-words";
import { capitalized, joinWords, phrasesText } from "@/lib/words/rules/phrases";
import { shortTriggerWords } from "@/lib/words/rules/trigger-words";

type RuleInWords = Pick<RuleDefinition, "trigger" | "steps">;

/** A rule in one short sentence for lists: "When money arrives in Client payments, splits it across five pods." */
export function ruleLine(rule: RuleInWords, names: AccountNames): string {
  const trigger = shortTriggerWords(rule.trigger, names);
  const [first] = rule.steps;
  const conditions = rule.steps.length === 1 && first ? conditionPart(first.conditions, rule, names) : "";
  const ways = rule.steps.length > 1 ? `, in one of ${numberWords(rule.steps.length)} ways` : "";
  return capitalized(`${trigger}${conditions}, ${whatItDoes(rule, names)}${ways}.`);
}

function conditionPart(conditions: RuleConditions | null, rule: RuleInWords, names: AccountNames): string {
  if (conditions === null) return "";
  const isArrival = rule.trigger.type === "ON_FUNDS_TRANSFERRED";
  const only = onlyComparison(conditions);
  if (!only) return ` and if ${numberWords(comparisonsOf(conditions).length)} conditions allow it`;
  const subject = isArrival && only.fact === "INCOMING_AMOUNT" ? "it" : undefined;
  const words = phrasesText(comparisonWords(only, { trigger: rule.trigger, names }, subject));
  return `${isArrival ? " and" : ", if"} ${words}`;
}

function whatItDoes({ trigger, steps }: RuleInWords, names: AccountNames): string {
  const actions = steps.flatMap(({ actions }) => actions);
  const [only] = actions;
  if (actions.length === 1 && only) return oneAction(only, trigger, names);
  const destinations = mostOfAStep(steps, (step) => step.actions.flatMap(destinationsOf));
  const sources = mostOfAStep(steps, (step) => step.actions.map(({ sourceAccountId }) => sourceAccountId));
  const over = `${destinations.isLess ? "up to " : ""}${countWords(destinations.accountIds, names)}`;
  const [source] = sources.accountIds;
  if (sources.isLess || sources.accountIds.length > 1 || source === undefined) {
    const from = `${sources.isLess ? "up to " : ""}${numberWords(Math.max(2, sources.accountIds.length))}`;
    return `moves money from ${from} accounts to ${over}`;
  }
  if (!destinations.isLess && destinations.accountIds.length === 1) {
    return `moves money from ${accountName(names, source)} to ${over}`;
  }
  const isArrived = trigger.type === "ON_FUNDS_TRANSFERRED" && trigger.accountId === source;
  if (!steps.every(isSharedOut)) {
    return isArrived
      ? `moves some of it to ${over}`
      : `moves money from ${accountName(names, source)} to ${over}`;
  }
  return isArrived
    ? `splits it across ${over}`
    : `splits money from ${accountName(names, source)} across ${over}`;
}

/** The accounts of the step with the most; `isLess` if other steps have different ones, of which one run uses one step. */
function mostOfAStep(steps: RuleInWords["steps"], of: (step: RuleInWords["steps"][number]) => string[]) {
  const sets = steps.map((step) => [...new Set(of(step))]);
  const accountIds = sets.reduce((most, next) => (next.length > most.length ? next : most), []);
  const isLess = new Set(sets.flat()).size > accountIds.length;
  return { accountIds, isLess };
}

/** Whether a step leaves nothing: only then does it split the money. */
function isSharedOut({ actions }: RuleInWords["steps"][number]): boolean {
  const takesTheRest = actions.some(
    (action) => action.type === "REMAINDER" && action.keepInCents === 0 && action.limitId === null,
  );
  return takesTheRest || [...percentagesOf(actions)].some(({ total }) => total === 100);
}

/** `five pods`, `two accounts`; a single one by name. */
function countWords(accountIds: readonly string[], names: AccountNames): string {
  const [first] = accountIds;
  if (accountIds.length === 1 && first) return accountName(names, first);
  return `${numberWords(accountIds.length)} ${areAllPods(names, accountIds) ? "pods" : "accounts"}`;
}

function oneAction(action: RuleAction, trigger: RuleDefinition["trigger"], names: AccountNames): string {
  const source = accountName(names, action.sourceAccountId);
  const to = countWords(destinationsOf(action), names);
  const isArrived = trigger.type === "ON_FUNDS_TRANSFERRED" && trigger.accountId === action.sourceAccountId;
  const from = isArrived ? "" : ` from ${source}`;
  switch (action.type) {
    case "FIXED":
      return `moves ${formatCents(action.amountInCents)}${from} to ${to}`;
    case "PERCENTAGE":
      return `sends ${shareWords(action, trigger, names)} to ${to}${isShareOfSource(action, trigger) ? "" : from}`;
    case "TOP_UP":
      return `fills ${to} up to ${formatCents(action.amountInCents)}${from}`;
    case "ROUND_DOWN":
      return `moves everything above a multiple of ${formatCents(action.amountInCents)} in ${source} to ${to}`;
    case "REMAINDER":
      return action.keepInCents === 0
        ? `moves all of ${source} to ${to}`
        : `moves everything above ${formatCents(action.keepInCents)} in ${source} to ${to}`;
    case "NEXT_PAYMENT_MINIMUM":
      return `pays the next minimum payment of ${to}${from}`;
    case "LAST_STATEMENT_BALANCE":
      return `pays the last statement of ${to}${from}`;
    case "TOTAL_AMOUNT_DUE":
      return `pays the full amount owed on ${to}${from}`;
    case "PERCENTAGE_OF_LIABILITY":
      return `pays ${percentWords(action.percentage)} of the amount owed on ${to}${from}`;
    case "SNOWBALL":
    case "AVALANCHE":
      return `pays ${formatCents(action.amountInCents)}${from} toward ${debtWords(action, names)}`;
  }
}

function shareWords(
  action: Extract<RuleAction, { type: "PERCENTAGE" }>,
  trigger: RuleDefinition["trigger"],
  names: AccountNames,
): string {
  const percent = percentWords(action.percentage);
  if (action.of === "SOURCE_BALANCE")
    return `${percent} of what ${accountName(names, action.sourceAccountId)} has`;
  switch (trigger.type) {
    case "ON_FUNDS_TRANSFERRED":
      return `${percent} of it`;
    case "MANUAL":
      return `${percent} of the amount`;
    case "SCHEDULED":
      return `${percent} of what ${accountName(names, trigger.accountId)} has`;
  }
}

/** Whether the share's words already name its source. */
function isShareOfSource(
  action: Extract<RuleAction, { type: "PERCENTAGE" }>,
  trigger: RuleDefinition["trigger"],
): boolean {
  if (action.of === "SOURCE_BALANCE") return true;
  return trigger.type === "SCHEDULED" && trigger.accountId === action.sourceAccountId;
}

/** Up to this many debts are named; more are counted. */
const NAMED_DEBTS = 3;

function debtWords(
  { type, destinationAccountIds }: Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>,
  names: AccountNames,
): string {
  const debts = [...new Set(destinationAccountIds)];
  const list =
    debts.length <= NAMED_DEBTS
      ? joinWords(debts.map((id) => accountName(names, id)))
      : `${numberWords(debts.length)} debts`;
  if (debts.length === 1) return list;
  return `${list}, ${type === "SNOWBALL" ? "smallest first" : "highest interest rate first"}`;
}
