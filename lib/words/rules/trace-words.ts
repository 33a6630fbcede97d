import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap, PlannedMove, RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/rules/rule-parts";
import { findLimit, limitWords } from "@/lib/words/rules/action-words";
import { accountName, percentWords } from "@/lib/words/rules/number-words";
import { capitalized, key, phrasesText, say } from "@/lib/words/rules/phrases";

/** A run to put in words. */
export interface RunInWords {
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  plan: Pick<RulePlan, "stepIndexMatched">;
  names: AccountNames;
  facts: Pick<RuleFacts, "accounts">;
}

/**
 * How one amount was calculated, in parts joined by " · ": "**$5,200.00** that arrived · 30% is **$1,560.00** · the
 * limit of $6,000.00 a month leaves **$1,240.00**". If it did not move, the last part says why.
 */
export function moveWords(move: PlannedMove, run: RunInWords): Phrase[][] {
  const action = actionOf(move, run);
  const why = move.outcome === "FAILED" ? failureWords(move, run.names) : skippedPart(move, run);
  return [
    ...wantedParts(move, action, run),
    ...boundParts(move, run),
    ...(action?.type === "PERCENTAGE" && action.limitId === null ? [[say("no limit")]] : []),
    ...(why === null ? [] : [[say(why)]]),
  ];
}

/** A fill-up already stated the account's balance. */
function skippedPart(move: PlannedMove, run: RunInWords): string | null {
  const isFull = move.type === "TOP_UP" && move.wantedInCents === 0;
  return isFull ? "nothing to add" : skipWords(move, run);
}

function actionOf(move: PlannedMove, { rule, plan }: RunInWords): RuleAction | undefined {
  return plan.stepIndexMatched === null
    ? undefined
    : rule.steps[plan.stepIndexMatched]?.actions[move.actionIndex];
}

const cents = (amountInCents: number): Phrase => key(formatCents(amountInCents));

/** The requested amount, before any bound. */
function wantedParts(move: PlannedMove, action: RuleAction | undefined, run: RunInWords): Phrase[][] {
  const source = accountName(run.names, move.sourceAccountId);
  const base = move.baseInCents ?? move.wantedInCents;
  const wanted = cents(move.wantedInCents);
  switch (action?.type) {
    case undefined:
    case "FIXED":
      return [[wanted, say(" as the rule says")]];
    case "PERCENTAGE": {
      const isIncoming = action.of === "INCOMING_AMOUNT";
      return [
        [cents(base), say(isIncoming ? baseOfIncoming(run) : ` in ${source}`)],
        [say(`${percentWords(action.percentage)} is `), wanted],
      ];
    }
    case "TOP_UP":
      return [
        [say(holdsWords(move, run)), cents(base)],
        [say(`fill up to ${formatCents(action.amountInCents)}`)],
        ...(move.wantedInCents > 0 ? [[wanted, say(" to add")]] : []),
      ];
    case "ROUND_DOWN":
      return [
        [cents(base), say(` in ${source}`)],
        [say(`above a multiple of ${formatCents(action.amountInCents)} is `), wanted],
      ];
    case "REMAINDER":
      return [
        [cents(base), say(` left in ${source}`)],
        action.keepInCents === 0
          ? [say("the rest is "), wanted]
          : [say(`${formatCents(action.keepInCents)} stays, so `), wanted],
      ];
    case "NEXT_PAYMENT_MINIMUM":
      return dueParts("the next minimum payment is ", base, move);
    case "LAST_STATEMENT_BALANCE":
      return dueParts("the last statement is ", base, move);
    case "TOTAL_AMOUNT_DUE":
      return [[wanted, say(" is owed")]];
    case "PERCENTAGE_OF_LIABILITY":
      return [
        [cents(base), say(" is owed")],
        [say(`${percentWords(action.percentage)} is `), wanted],
      ];
    case "SNOWBALL":
    case "AVALANCHE":
      return [
        [cents(base), say(` of ${formatCents(action.amountInCents)} left`)],
        [cents(owedOf(move)), say(" is owed")],
        ...(move.wantedInCents > 0 ? [[say("pay "), wanted]] : []),
      ];
  }
}

/** The provider's figure, the amount paid or on its way, and the remainder, which is requested. */
function dueParts(words: string, dueInCents: number, { wantedInCents }: PlannedMove): Phrase[][] {
  const due = [say(words), cents(dueInCents)];
  // An overpaid card has a negative figure; nothing is requested.
  if (Math.max(0, dueInCents) === wantedInCents) return [due];
  if (wantedInCents === 0) return [due];
  return [
    due,
    [cents(dueInCents - wantedInCents), say(" of it is paid or on its way")],
    [cents(wantedInCents), say(" is left")],
  ];
}

function baseOfIncoming({ rule: { trigger }, names }: RunInWords): string {
  switch (trigger.type) {
    case "ON_FUNDS_TRANSFERRED":
      return " that arrived";
    case "MANUAL":
      return " to run with";
    case "SCHEDULED":
      return ` in ${accountName(names, trigger.accountId)} at the start`;
  }
}

/** A fill-up counts money on its way; stated here, because no account page shows it. */
function holdsWords(move: PlannedMove, { facts }: RunInWords): string {
  const onItsWay = facts.accounts[move.destinationAccountId]?.onItsWayInCents ?? 0;
  return onItsWay > 0 ? `with ${formatCents(onItsWay)} on its way it holds ` : "it holds ";
}

function owedOf(move: PlannedMove): number {
  return move.caps.find(({ kind }) => kind === "OWED")?.atInCents ?? move.wantedInCents;
}

/** The bounds that reduced the amount, in order. Other bounds are omitted, except for a limit. */
function boundParts(move: PlannedMove, run: RunInWords): Phrase[][] {
  const parts: Phrase[][] = [];
  let amount = move.wantedInCents;
  for (const cap of move.caps) {
    const isBinding = cap.atInCents < amount;
    // A failure states the missing amount itself.
    const isFailing = move.outcome === "FAILED" && (cap.kind === "AVAILABLE" || cap.kind === "FLOOR");
    if (isBinding && !isFailing) parts.push(boundWords(cap, move, run));
    else if (cap.kind === "LIMIT" && !isBinding) {
      const limit = findLimit(run.rule.limits, cap.limitId);
      if (limit) parts.push([say(`within ${limitWords(limit)}`)]);
    }
    amount = Math.min(amount, cap.atInCents);
  }
  return parts;
}

function boundWords(cap: PlanCap, move: PlannedMove, { rule, names }: RunInWords): Phrase[] {
  const source = accountName(names, move.sourceAccountId);
  const most = cents(cap.atInCents);
  switch (cap.kind) {
    case "AVAILABLE":
      return [say(`${source} has only `), most];
    case "FLOOR":
      return [say(`above its floor of ${formatCents(cap.floorInCents)} ${source} has only `), most];
    case "LIMIT": {
      const limit = findLimit(rule.limits, cap.limitId);
      return [say(limit ? `of ${limitWords(limit)} only ` : "of its limit only "), most, say(" is left")];
    }
    case "OWED":
      return [say("only "), most, say(" is owed")];
  }
}

/** Why a transfer was skipped, in one line: "it already holds $2,150.00"; null if it was not. */
export function skipWords(move: PlannedMove, run: Pick<RunInWords, "names">): string | null {
  if (move.outcome !== "SKIPPED") return null;
  if (move.amountInCents > 0) {
    return `below ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}, the minimum transfer`;
  }
  const limit = move.caps.find(({ kind, atInCents }) => kind === "LIMIT" && atInCents === 0);
  if (limit && move.wantedInCents > 0) return "its limit is used up";
  const owed = move.caps.find(({ kind }) => kind === "OWED");
  if (owed?.atInCents === 0) return "nothing is owed";
  if (move.wantedInCents > 0) return `${accountName(run.names, move.sourceAccountId)} is empty`;
  switch (move.type) {
    case "TOP_UP":
      return move.baseInCents === null
        ? "nothing to add"
        : `it already holds ${formatCents(move.baseInCents)}`;
    case "NEXT_PAYMENT_MINIMUM":
    case "LAST_STATEMENT_BALANCE":
      return (move.baseInCents ?? 0) > 0 ? "all of it is paid or on its way" : "nothing to move";
    case "SNOWBALL":
    case "AVALANCHE":
      return "the budget is used up";
    default:
      return "nothing to move";
  }
}

/** Why a transfer failed: "Operating has only $100.00". */
export function failureWords(move: PlannedMove, names: AccountNames): string | null {
  if (move.errorCode === null) return null;
  const source = accountName(names, move.sourceAccountId);
  const cap = move.caps.find(({ kind }) => kind === "AVAILABLE" || kind === "FLOOR");
  switch (move.errorCode) {
    case "INSUFFICIENT_FUNDS":
      return cap
        ? `${source} has only ${formatCents(cap.atInCents)}${aboveFloor(cap)}`
        : `${source} has too little`;
    case "BELOW_FLOOR":
      return cap?.kind === "FLOOR"
        ? `${source} would go below its floor of ${formatCents(cap.floorInCents)}`
        : `${source} would go below its floor`;
    case "ABOVE_OUTGOING_CAP":
      return "it would exceed what may leave Sluice within 24 hours";
    case "ACCOUNT_CLOSED":
      return closedWords(move, names);
  }
}

function aboveFloor(cap: PlanCap): string {
  return cap.kind === "FLOOR" ? ` above its floor of ${formatCents(cap.floorInCents)}` : "";
}

function closedWords(move: PlannedMove, names: AccountNames): string {
  const closed = [move.sourceAccountId, move.destinationAccountId].filter(
    (id) => names[id]?.isClosed !== false,
  );
  const [id] = closed;
  // Closed at the time of the run; it may be open again.
  if (id === undefined || closed.length > 1) return "an account was closed";
  return `${names[id]?.name ?? accountName(names, id)} was closed`;
}

/**
 * A run's `errorMessage`: the requested amount, the reason, and the actions that did not run. Null without a failure.
 * @param detail leaves out amounts for readers who may not read the accounts
 */
export function runErrorMessage(
  plan: Pick<RulePlan, "moves" | "actionsNotReached">,
  names: AccountNames,
  detail: "WITH_AMOUNTS" | "WITHOUT_AMOUNTS" = "WITH_AMOUNTS",
): string | null {
  const failed = plan.moves.find(({ outcome }) => outcome === "FAILED");
  if (!failed) return null;
  const source = accountName(names, failed.sourceAccountId);
  const destination = accountName(names, failed.destinationAccountId);
  const isBare = detail === "WITHOUT_AMOUNTS";
  const why = failureWords(isBare ? { ...failed, caps: [] } : failed, names);
  const amount = isBare ? "money" : formatCents(failed.amountInCents);
  const wanted = `Could not move ${amount} from ${source} to ${destination}`;
  const notReached = notReachedWords(plan.actionsNotReached);
  return `${wanted}${why === null ? "" : `: ${why}`}.${notReached === "" ? "" : ` ${notReached}`}`;
}

/**
 * Why a run moved less than it could: its first skipped transfer with the reason, and how many more it skipped. Null if it
 * skipped none.
 * @param detail leaves out balances for readers who may not read the accounts
 */
export function runSkipMessage(
  plan: Pick<RulePlan, "moves">,
  names: AccountNames,
  detail: "WITH_AMOUNTS" | "WITHOUT_AMOUNTS",
): string | null {
  const [first, ...others] = plan.moves.filter(({ outcome }) => outcome === "SKIPPED");
  if (!first) return null;
  const source = accountName(names, first.sourceAccountId);
  const destination = accountName(names, first.destinationAccountId);
  const why = skipWords(detail === "WITHOUT_AMOUNTS" ? { ...first, baseInCents: null } : first, { names });
  const more = others.length === 0 ? "" : ` ${others.length} more skipped.`;
  return `Moved nothing from ${source} to ${destination}: ${why}.${more}`;
}

function notReachedWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 later action did not run." : `${count} later actions did not run.`;
}

/** What a run waits for: "The balance of Payroll is unknown." */
export function unknownWords(missing: UnknownFact, names: AccountNames): string {
  const name = missing.accountId === null ? "its account" : accountName(names, missing.accountId);
  switch (missing.fact) {
    case "INCOMING_AMOUNT":
      return "The starting amount is unknown.";
    case "BALANCE":
      return `The balance of ${name} is unknown.`;
    case "AVAILABLE_BALANCE":
      return `The available balance of ${name} is unknown.`;
    case "NEXT_PAYMENT_MINIMUM":
      return `The next minimum payment of ${name} is unknown.`;
    case "LAST_STATEMENT_BALANCE":
      return `The last statement of ${name} is unknown.`;
  }
}

/** `moveWords` as plain text, for exports, notices and screen readers. */
export function moveText(move: PlannedMove, run: RunInWords): string {
  return moveWords(move, run)
    .map((part, index) => (index === 0 ? capitalized(phrasesText(part)) : phrasesText(part)))
    .join(" · ");
}
