import { formatCents } from "@/lib/contract/format-cents";
import { dateText } from "@/lib/contract/input/instants";
import {
  ACCOUNT_FACTS,
  type ActionDraft,
  type ComparisonDraft,
  type ConditionDraft,
  type RuleDraft,
} from "@/lib/contract/rules/draft";
import type { ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** A problem that keeps a draft from being a rule. */
export interface DraftProblem {
  /** The part it belongs to, by the editor's names: `name`, `trigger.account`, `a12.amount` of action 12. */
  part: string;
  /** One sentence: what it must be. */
  message: string;
}

/** Every value not chosen yet. */
export function missingParts(draft: RuleDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const say = (part: string, message: string) => problems.push({ part, message });
  if (draft.name.trim() === "") say("name", "Give the rule a name.");
  if (draft.trigger.accountId === null) say("trigger.account", "Choose which account to watch.");
  if (draft.trigger.type === "SCHEDULED") {
    if (draft.trigger.schedule.startAt === null) say("schedule.start", "Choose the start date.");
  }
  const limits = new Map(draft.limits.map((limit) => [limit.id, limit]));
  for (const [index, step] of draft.steps.entries()) {
    if (step.conditions) missingOfCondition(step.conditions, say);
    if (step.actions.length === 0) say(`s${step.key}`, `Add an action to step ${index + 1}.`);
    for (const action of step.actions) {
      missingOfAction(action, say);
      const limit = action.limitId === null ? undefined : limits.get(action.limitId);
      if (limit && limit.amountInCents === null) say(`a${action.key}.limit`, "Enter the most that may move.");
    }
  }
  return problems;
}

type Say = (part: string, message: string) => void;

/** The draft's schema bounds the depth. */
function missingOfCondition(node: ConditionDraft, say: Say): void {
  if (node.kind === "COMPARISON") {
    missingOfComparison(node, say);
    return;
  }
  if (node.members.length === 0) say(`c${node.key}`, "Add a condition here, or remove this group.");
  for (const member of node.members) missingOfCondition(member, say);
}

const isOfAccount = (fact: string) => ACCOUNT_FACTS.some((candidate) => candidate === fact);

function missingOfComparison(node: ComparisonDraft, say: Say): void {
  if (isOfAccount(node.fact) && node.accountId === null)
    say(`c${node.key}.fact`, "Choose which balance to check.");
  if (node.fact === "DATE") {
    if (!dateText.safeParse(node.date).success) say(`c${node.key}.value`, "Choose the date.");
  } else if (node.against === "FACT") {
    const lacksAccount = isOfAccount(node.otherFact) && node.otherAccountId === null;
    if (lacksAccount) say(`c${node.key}.value`, "Choose which balance to compare with.");
  } else if (node.value === null) {
    say(`c${node.key}.value`, "Enter a value to compare with.");
  }
}

function missingOfAction(action: ActionDraft, say: Say): void {
  const at = `a${action.key}`;
  if (action.sourceAccountId === null) say(`${at}.source`, "Choose where the money comes from.");
  if (action.destinationAccountIds.length === 0) say(`${at}.destination`, "Choose where the money goes.");
  const asksAmount = ["FIXED", "TOP_UP", "ROUND_DOWN", "SNOWBALL", "AVALANCHE"].includes(action.type);
  if (asksAmount && action.amountInCents === null) say(`${at}.amount`, "Enter the amount.");
  const asksShare = action.type === "PERCENTAGE" || action.type === "PERCENTAGE_OF_LIABILITY";
  if (asksShare && action.percentage === null) say(`${at}.amount`, "Enter the percentage.");
  if (action.type === "REMAINDER" && action.keepInCents === null)
    say(`${at}.keep`, "Enter how much stays; $0.00 keeps nothing.");
}

type Issue = NonNullable<ReturnType<typeof ruleDefinitionSchema.safeParse>["error"]>["issues"][number];

const PARTS_OF_ACTIONS: Record<string, { part: string; subject: string }> = {
  sourceAccountId: { part: "source", subject: "The source account" },
  destinationAccountId: { part: "destination", subject: "The destination account" },
  destinationAccountIds: { part: "destination", subject: "The debts" },
  amountInCents: { part: "amount", subject: "The amount" },
  percentage: { part: "amount", subject: "The share" },
  of: { part: "of", subject: "The base of the share" },
  keepInCents: { part: "keep", subject: "The amount that stays" },
  limitId: { part: "limit", subject: "The limit" },
  description: { part: "label", subject: "The ACH label" },
};

const PARTS_OF_SCHEDULES: Record<string, { part: string; subject: string }> = {
  frequency: { part: "schedule.frequency", subject: "The frequency" },
  dayOfWeek: { part: "schedule.frequency", subject: "The day of the week" },
  daysOfMonth: { part: "schedule.frequency", subject: "The days of the month" },
  cron: { part: "schedule.frequency", subject: "The cron expression" },
  time: { part: "schedule.time", subject: "The time" },
  timeZone: { part: "schedule.zone", subject: "The time zone" },
  startAt: { part: "schedule.start", subject: "The start date" },
};

/** A schema problem at its part, in words. */
export function issueProblem(draft: RuleDraft, issue: Issue): DraftProblem {
  const [first, second, third, fourth, fifth] = issue.path;
  const say = (part: string, subject: string) => ({ part, message: sentence(subject, issue.message) });
  if (first === "trigger") {
    const field = PARTS_OF_SCHEDULES[String(third)];
    if (second === "schedule")
      return say(field?.part ?? "schedule.frequency", field?.subject ?? "The schedule");
    if (second === "minimumAmountInCents") return say("trigger.minimum", "The minimum amount");
    return say("trigger.account", "The account");
  }
  if (first === "limits") return limitProblem(draft, issue, second);
  if (first === "steps") {
    const step = draft.steps[Number(second)];
    if (!step) return say("steps", "The steps");
    if (third !== "actions")
      return { part: `s${step.key}`, message: "A condition of this step is incomplete." };
    const action = step.actions[Number(fourth)];
    if (fourth === undefined || !action)
      return { part: `s${step.key}`, message: sharesSentence(issue.message) };
    const field = PARTS_OF_ACTIONS[String(fifth)];
    return say(`a${action.key}.${field?.part ?? "amount"}`, field?.subject ?? "This action");
  }
  return first === "description"
    ? say("description", "The description")
    : say("name", first === "name" ? "The name" : "The rule");
}

function limitProblem(draft: RuleDraft, issue: Issue, index: PropertyKey | undefined): DraftProblem {
  const limit = draft.limits[Number(index)];
  const actions = draft.steps.flatMap((step) => step.actions);
  const holder =
    actions.find((action) => action.limitId === limit?.id) ?? actions.find(({ limitId }) => limitId);
  return { part: holder ? `a${holder.key}.limit` : "name", message: sentence("The limit", issue.message) };
}

/** `The amount must be at least $1.00.` */
function sentence(subject: string, message: string): string {
  const words = message.replace(/(\d+) cents/g, (_, cents: string) => formatCents(Number(cents)));
  return /^(must|is|shares)/.test(words) ? `${subject} ${words}.` : `${subject}: ${words}.`;
}

/** The schema counts groups from 0 and names accounts by id. */
function sharesSentence(message: string): string {
  const match = /^shares out (\S+) percent of \S+ in group \d+/.exec(message);
  return match
    ? `Shares of one group add up to ${match[1]}%; the maximum is 100%.`
    : sentence("The actions of this step", message);
}
