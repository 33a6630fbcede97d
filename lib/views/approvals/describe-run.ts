import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import { ruleHref, runNowHref } from "@/lib/contract/hrefs";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import { type RunApprovalFacts, statusOfAccepted } from "@/lib/core/approvals/approval-facts";
import { conditionsNotMet, nothingToMove } from "@/lib/core/approvals/describe-knock-on";
import {
  accountsTouched,
  describeBalances,
  describeParty,
  followsOf,
  partiesBehind,
} from "@/lib/core/approvals/describe-transfer";
import { approvableMoves } from "@/lib/core/approvals/proposal-facts";
import type { RunTransfer } from "@/lib/core/approvals/run-subject";
import type { PartyFacts } from "@/lib/core/approvals/transfer-subject";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { type Forecast, movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import { type ForecastMove, settlesLater } from "@/lib/engine/forecast/money-after";
import { accountName } from "@/lib/words/rules/number-words";
import { failureWords, skipWords } from "@/lib/words/rules/trace-words";

/** What an approval page shows of a proposed run. Pure. `mayRun`: the viewer may run rules by hand. */
export function describeRun(
  facts: RunApprovalFacts,
  status: ApprovalStatus,
  forecast: Forecast | null,
  mayRun: boolean,
) {
  const { rule, version, plan, accounts, transfers } = facts;
  const ahead = movesAhead(facts, status);
  const touched = partiesOf(facts, accountsTouched(ahead));
  const moves = approvableMoves(plan);
  const names = namesOf(facts);
  return {
    kind: "RULE_RUN" as const,
    rule: { name: rule.name, href: ruleHref(rule.id), version },
    /** Total amount. Null: not computed, because it was never approved, or cannot be. */
    amountInCents: moves?.reduce((sum, move) => sum + move.amountInCents, 0) ?? null,
    /** The account that it starts from, with its money. */
    from: describeParty(startOf(facts, moves ?? []), 0),
    moves: describeMoves(facts, transfers),
    /** Why nothing moves, in words; null if something does, or nothing was computed. */
    nothingBecause: plan && moves?.length === 0 ? whyNothing(facts, plan) : null,
    /** Null unless the run ended with its version. */
    runAgain: status === "RULE_CHANGED" ? runAgainOf(facts, mayRun) : null,
    /** Its diagram; null if this version of Sluice cannot represent the rule. */
    drawing: drawingOf(facts),
    ...describeBalances([...touched, ...partiesBehind(forecast, touched)], ahead, followsOf(forecast)),
    accountNames: Object.fromEntries(Object.entries(names).map(([id, { name }]) => [id, name])),
    settlesOver: moves?.some((move) => settlesLater(accounts, move)) ? ("ACH" as const) : ("BOOKS" as const),
    expectedOn: null,
    endedAt: facts.endedAt?.toISOString() ?? null,
    error:
      facts.errorMessage === null ? null : { code: errorCodeOf(transfers), sentence: facts.errorMessage },
  };
}

function runAgainOf({ rule, incomingAmountInCents }: RunApprovalFacts, mayRun: boolean) {
  const canRun = rule.activeVersion !== null && !rule.isPaused && !rule.isDeleted;
  return {
    /** The version that runs now; null: none does. */
    version: rule.activeVersion,
    /** The page that runs it, with the same amount; null: the viewer may not, or it cannot run now. */
    href: canRun && mayRun ? runNowHref(rule.id, incomingAmountInCents) : null,
  };
}

/** What can be asked for instead of a run that ended with its version. */
export type RunAgainView = ReturnType<typeof runAgainOf>;

/** The changes that the page shows: the whole plan while it waits, then what is still pending. */
function movesAhead({ plan, transfers }: RunApprovalFacts, status: ApprovalStatus): ForecastMove[] {
  if (status === "WAITING") return approvableMoves(plan) ?? [];
  return transfers.filter((transfer) => transfer.status === "PROCESSING");
}

function partiesOf({ accounts }: RunApprovalFacts, ids: readonly string[]): PartyFacts[] {
  return ids.flatMap((id) => {
    const facts = accounts[id];
    return facts ? [{ id, ...facts }] : [];
  });
}

/** The only account that it draws from, or else the one that triggers its rule. */
function startOf(facts: RunApprovalFacts, moves: readonly ForecastMove[]): PartyFacts {
  const sources = [...new Set(moves.map((move) => move.sourceAccountId))];
  const id = sources.length === 1 ? sources[0] : facts.definition?.trigger.accountId;
  const [party] = partiesOf(facts, id === undefined ? [] : [id]);
  return party ?? NO_ACCOUNT;
}

/** For a rule that this version of Sluice cannot represent. */
const NO_ACCOUNT: PartyFacts = {
  id: "",
  name: "its account",
  type: "POD",
  externalAccountType: null,
  isClosed: false,
  balanceInCents: null,
  availableInCents: null,
  floorInCents: null,
  onItsWayInCents: 0,
  nextPaymentMinimumInCents: null,
  lastStatementBalanceInCents: null,
  interestRatePercentage: null,
};

function describeMoves(facts: RunApprovalFacts, transfers: readonly RunTransfer[]) {
  const { plan } = facts;
  if (!plan) return [];
  // Transfers are created in the order of the plan's moves.
  const made = [...transfers];
  const names = namesOf(facts);
  return plan.moves.map((move, index) => {
    const transfer = move.outcome === "MOVE" ? made.shift() : undefined;
    return {
      /** Unique among the run's. */
      key: `${index}`,
      sourceName: accountName(names, move.sourceAccountId),
      destinationName: accountName(names, move.destinationAccountId),
      /** 0 if skipped. */
      amountInCents: move.outcome === "SKIPPED" ? 0 : move.amountInCents,
      outcome: move.outcome,
      /** Why it is skipped or fails, in words; null if it moves. */
      because: whyNot(facts, move),
      /** Its outcome; null while it waits, and if no transfer was made. */
      status: transfer ? statusOfAccepted(transfer.status) : null,
    };
  });
}

/** One transfer of a run: as planned while it waits, then its outcome. */
export type RunMoveView = ReturnType<typeof describeMoves>[number];

function whyNot(facts: RunApprovalFacts, move: PlannedMove): string | null {
  const names = namesOf(facts);
  if (move.outcome === "FAILED") return failureWords(move, names);
  if (!facts.definition) return null;
  return skipWords(move, { names });
}

function whyNothing(facts: RunApprovalFacts, plan: RulePlan): string {
  const { definition } = facts;
  if (!definition) return "Nothing moves.";
  const names = namesOf(facts);
  if (plan.stepIndexMatched === null) return conditionsNotMet(definition, plan, names);
  return nothingToMove(plan, names);
}

function drawingOf(facts: RunApprovalFacts) {
  const { definition, plan, planned } = facts;
  if (!definition) return null;
  const { trigger, steps, limits } = definition;
  const taken = plan && movesOf(plan).reduce((sum, move) => sum + move.amountInCents, 0);
  const incomingAmountInCents = planned?.facts.incomingAmountInCents ?? taken;
  return {
    rule: { trigger, steps, limits },
    plan,
    names: namesOf(facts),
    incomingAmountInCents,
    /** Current balance of the account that it starts from; null if unknown. */
    startsWithInCents: facts.accounts[trigger.accountId]?.balanceInCents ?? null,
  };
}

function errorCodeOf(transfers: readonly RunTransfer[]): string {
  return transfers.find((transfer) => transfer.errorCode !== null)?.errorCode ?? "RUN_FAILED";
}
