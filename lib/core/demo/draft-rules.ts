import { bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { ruleScheduleSchema } from "@/lib/contract/rules/trigger";
import type { Draft } from "@/lib/core/demo/draft";
import type { DemoRuleAuthor, DemoRuleMove } from "@/lib/core/demo/history-step";
import type { MemberName } from "@/lib/core/demo/northwind";
import { CARDS } from "@/lib/core/demo/northwind-cards";
import {
  cardPayoff,
  type DefineRule,
  FIRST_SPLIT,
  FOURTH_SPLIT,
  FRIDAYS,
  fridayOwnersPay,
  KEEP_PAYROLL_FUNDED,
  OWNERS_PAY_IN_CENTS,
  PAYROLL_TARGET_IN_CENTS,
  type RuleName,
  SECOND_SPLIT,
  SEND_QUARTERLY_TAX,
  SPLIT_SHARES,
  THIRD_SPLIT,
  yearEndSweep,
} from "@/lib/core/demo/northwind-rules";
import { latestOccurrences } from "@/lib/engine/schedule/occurrences";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The rule has split payments since this banking day, the day before the first of them. */
const SPLIT_ACTIVE_DAY = 31;
const FRIDAYS_PAID = 6;
/** Those Fridays are at most this many days ago. */
const FRIDAYS_WITHIN_DAYS = 7 * FRIDAYS_PAID;

/** A payment that the rule splits on arrival. */
export function draftSplit(draft: Draft, at: Date, amountInCents: number): void {
  for (const { to, percent } of SPLIT_SHARES) {
    draft.ruleMoves.push({
      rule: "Split client payments",
      from: "Client payments",
      to,
      amountInCents: (amountInCents * percent) / 100,
      at,
    });
  }
}

/**
 * The rules: how they were created, and what they did as a result of everything else drafted, which must be complete.
 * Amounts are computed here so that opening balances lead to the right closing ones; the runner computes them again
 * when the history is played.
 */
export function draftRules(draft: Draft, now: Date): void {
  draftSplitVersions(draft, now);
  draftPayrollRule(draft);
  draftTaxRule(draft);
  draftFridays(draft, now);
  draftLateRules(draft, now);
}

function draftSplitVersions(draft: Draft, now: Date): void {
  const at = draft.calendar.at;
  const propose = (moment: Date, define: DefineRule, reason: string) =>
    write(draft, moment, "Split client payments", define, byClaude(reason));
  propose(
    at(45, "14:20"),
    FIRST_SPLIT,
    "zapier-invoices requests the same two shares for every payment. A rule can do this without approval.",
  );
  propose(
    at(39, "10:05"),
    SECOND_SPLIT,
    "Payroll and Profit are topped up from Operating every week. They can get a share of each payment directly.",
  );
  propose(
    at(34, "15:40"),
    THIRD_SPLIT,
    "Adds a share for Owner’s pay, as Mara asked. Payments below $5,000.00 wait for your approval.",
  );
  activate(draft, at(SPLIT_ACTIVE_DAY, "16:10"), "Split client payments", 3, "MARA");
  propose(
    new Date(now.getTime() - 154 * MINUTE_MS),
    FOURTH_SPLIT,
    "Taxes came out short twice this year. 27% matches the last four quarters. Payroll and Owner’s pay stop filling once they hold enough.",
  );
}

function draftPayrollRule(draft: Draft): void {
  const activeSince = draft.calendar.at(SPLIT_ACTIVE_DAY, "16:20");
  write(
    draft,
    draft.calendar.at(33, "11:20"),
    "Keep Payroll funded",
    KEEP_PAYROLL_FUNDED,
    byClaude("$6,500.00 covers two weeks of wages and payroll costs."),
  );
  activate(draft, activeSince, "Keep Payroll funded", 1, "JONAS");
  draftTopUps(draft, activeSince);
}

/** `ARRIVAL`: money arrives in Operating, which triggers the rule; cents: a change of Payroll's balance. */
interface PayrollEvent {
  at: Date;
  what: "ARRIVAL" | number;
}

/**
 * What the rule moved when money arrived in Operating. Payroll was full when the rule was activated; its last run fills
 * it again, to its closing balance.
 */
function draftTopUps(draft: Draft, since: Date): void {
  const events = payrollEvents(draft).filter(({ at }) => at > since);
  const topUps: DemoRuleMove[] = [];
  let balance = PAYROLL_TARGET_IN_CENTS;
  for (const { at, what } of events.sort((left, right) => left.at.getTime() - right.at.getTime())) {
    const missing = PAYROLL_TARGET_IN_CENTS - balance;
    if (what === "ARRIVAL" && missing > 0) {
      topUps.push({
        rule: "Keep Payroll funded",
        from: "Operating",
        to: "Payroll",
        amountInCents: missing,
        at,
      });
    }
    balance += what === "ARRIVAL" ? Math.max(0, missing) : what;
  }
  if (balance !== PAYROLL_TARGET_IN_CENTS)
    throw new RangeError("The demo does not end with a funded Payroll");
  draft.ruleMoves.push(...topUps);
}

/** Ordered within the same moment too: a run moves all of its money before it triggers another. */
function payrollEvents({ movements, ruleMoves, cardCredits }: Draft): PayrollEvent[] {
  const changes = movements.flatMap(({ from, to, amountInCents, end }): PayrollEvent[] => {
    if (end.kind !== "APPROVED" || end.isUndone) return [];
    if (from === "Payroll") return [{ at: end.at, what: -amountInCents }];
    return to === "Payroll" ? [{ at: end.at, what: amountInCents }] : [];
  });
  const shares = ruleMoves.flatMap(({ to, amountInCents, at }): PayrollEvent[] =>
    to === "Payroll" ? [{ at, what: amountInCents }] : [],
  );
  const arrivals = [
    ...ruleMoves.flatMap(({ to, at }) => (to === "Operating" ? [at] : [])),
    ...cardCredits.flatMap(({ card, subtype, madeAt }) =>
      subtype === "PAYOUT" && CARDS[card].account === "Operating" ? [madeAt] : [],
    ),
  ];
  return [...changes, ...shares, ...arrivals.map((at) => ({ at, what: "ARRIVAL" as const }))];
}

/** Active since the last large tax payment: since then Taxes never reaches the amount that triggers it. */
function draftTaxRule(draft: Draft): void {
  const at = draft.calendar.at;
  write(
    draft,
    at(27, "10:50"),
    "Send quarterly tax",
    SEND_QUARTERLY_TAX,
    byClaude("Sends the quarterly estimate to checking once Taxes holds it."),
  );
  activate(draft, at(26, "15:30"), "Send quarterly tax", 1, "MARA");
}

function draftFridays(draft: Draft, now: Date): void {
  const earliest = new Date(now.getTime() - (FRIDAYS_WITHIN_DAYS + 1) * DAY_MS);
  const schedule = ruleScheduleSchema.parse({ ...FRIDAYS, startAt: earliest.toISOString() });
  const fridays = latestOccurrences(schedule, now, earliest, FRIDAYS_PAID);
  const first = fridays.at(-1);
  if (!first || fridays.length !== FRIDAYS_PAID) throw new RangeError("The demo has too few Fridays");
  const activatedAt = new Date(first.getTime() - DAY_MS);
  const writtenAt = new Date(activatedAt.getTime() - 35 * MINUTE_MS);
  write(draft, writtenAt, "Friday owner’s pay", fridayOwnersPay(writtenAt), { member: "MARA" });
  activate(draft, activatedAt, "Friday owner’s pay", 1, "MARA");
  for (const at of fridays) {
    draft.ruleSteps.push({ kind: "FIRE_SCHEDULES", at });
    draft.ruleMoves.push({
      rule: "Friday owner’s pay",
      from: "Operating",
      to: "Owner’s pay",
      amountInCents: OWNERS_PAY_IN_CENTS,
      at,
    });
  }
}

/** Rules that have not run yet. */
function draftLateRules(draft: Draft, now: Date): void {
  const { at, nextCardDueDate } = draft.calendar;
  const firstStatement = bankingInstant(nextCardDueDate, "00:00");
  write(draft, at(9, "16:05"), "Card payoff", cardPayoff(firstStatement), { member: "JONAS" });
  activate(draft, at(8, "09:50"), "Card payoff", 1, "JONAS");
  const sweepOn = bankingInstant(`${bankingDateOf(now).slice(0, 4)}-12-31`, "09:00");
  // Started by its owner and never activated: nothing requests it, so nothing waits.
  write(draft, at(2, "11:35"), "Year-end sweep", yearEndSweep(sweepOn), { member: "MARA" });
}

const byClaude = (reason: string): DemoRuleAuthor => ({ key: "claude-bookkeeping", reason });

function write(draft: Draft, at: Date, rule: RuleName, define: DefineRule, author: DemoRuleAuthor): void {
  draft.ruleSteps.push({ kind: "WRITE_RULE", at, rule, author, define });
}

function activate(draft: Draft, at: Date, rule: RuleName, version: number, by: MemberName): void {
  draft.ruleSteps.push({ kind: "ACTIVATE_RULE", at, rule, version, by });
}
