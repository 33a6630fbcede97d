import { formatCents } from "@/lib/contract/format-cents";
import type { PlannedMove } from "@/lib/contract/rules/plan";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { RunTransferView, RunView } from "@/lib/views/rules/read-run";
import { accountName, areAllPods } from "@/lib/words/rules/number-words";

export type TitledRun = Pick<
  RunView,
  "status" | "mode" | "plan" | "accounts" | "transfers" | "startedBy" | "decision" | "attempts" | "viewer"
>;

/** A run as a sentence: "$5,200.00 arrived and went to 4 pods". */
export function runTitle(run: TitledRun): string {
  const undecided = decisionTitle(run);
  if (undecided) return undecided;
  const { plan } = run;
  if (plan === null) return withoutPlan(run);
  const isDry = run.mode === "SIMULATION";
  if (plan.stepIndexMatched === null) {
    return isDry ? "Its conditions would not be met" : "Its conditions were not met, so nothing moved";
  }
  const moves = plan.moves.filter(({ outcome }) => outcome === "MOVE");
  const failed = plan.moves.find(({ outcome }) => outcome === "FAILED");
  if (failed) return stoppedTitle(run, moves, failed);
  if (moves.length === 0) {
    return isDry ? "It would run with nothing to move" : "It ran with nothing to move";
  }
  return isDry ? `It would move ${amountTo(moves, run.accounts)}` : movedTitle(run, moves);
}

function decisionTitle({ status, decision, startedBy, viewer }: TitledRun): string | null {
  if (status === "APPROVAL_PENDING") {
    return viewer.canDecide ? "Needs your decision before it moves anything" : "Waiting for approval";
  }
  if (status !== "APPROVAL_DENIED") return null;
  switch (decision?.state) {
    case "EXPIRED":
      return "It expired without a decision, and nothing moved";
    case "RULE_CHANGED":
      return "Its version was replaced or deactivated, and nothing moved";
    case "WITHDRAWN":
      return startedBy.kind === "ASSISTANT"
        ? "Its assistant withdrew it, and nothing moved"
        : "Its program withdrew it, and nothing moved";
    case "REVOKED":
      return startedBy.kind === "ASSISTANT"
        ? "Its assistant was disconnected, and nothing moved"
        : "Its key was revoked, and nothing moved";
    default:
      return decision?.byName
        ? `${decision.byName} denied it, and nothing moved`
        : "Denied, and nothing moved";
  }
}

/** Runs without a plan: waiting, running, failed early, or from versions that stored none. */
function withoutPlan({ status, mode, attempts, transfers }: TitledRun): string {
  if (mode === "SIMULATION") return "It could not be calculated";
  switch (status) {
    case "IN_PROGRESS":
      return attempts.length > 0 ? "Waiting to retry" : "About to run";
    case "FAILED":
      return transfers.length === 0 ? "It failed, and nothing moved" : "It failed";
    case "PARTIAL":
      return "Some of its transfers settled";
    default:
      return transfers.length === 0 ? "It ran and moved nothing" : `It moved ${amountOf(transfers)}`;
  }
}

function stoppedTitle(run: TitledRun, moves: readonly PlannedMove[], failed: PlannedMove): string {
  const isDry = run.mode === "SIMULATION";
  const why = whyStopped(failed, run.accounts, isDry);
  if (moves.length === 0) return isDry ? `It would stop: ${why}` : `It stopped: ${why}`;
  const moved = formatCents(sum(moves));
  return isDry ? `It would move ${moved} and stop: ${why}` : `It moved ${moved} and stopped: ${why}`;
}

function whyStopped(failed: PlannedMove, names: AccountNames, isDry: boolean): string {
  const source = accountName(names, failed.sourceAccountId);
  switch (failed.errorCode) {
    case "BELOW_FLOOR":
      return isDry ? `${source} would go below its floor` : `${source} would have gone below its floor`;
    case "ACCOUNT_CLOSED":
      return isDry ? "an account is closed" : "an account was closed";
    case "ABOVE_OUTGOING_CAP":
      return isDry
        ? "it would exceed what may leave Sluice within 24 hours"
        : "it would have exceeded what may leave Sluice within 24 hours";
    default:
      return isDry ? `${source} has too little` : `${source} had too little`;
  }
}

const DID_NOT_HAPPEN: ReadonlySet<RunTransferView["status"]> = new Set([
  "FAILED",
  "CANCELLED",
  "APPROVAL_DENIED",
]);

function movedTitle(run: TitledRun, moves: readonly PlannedMove[]): string {
  const lost = run.transfers.filter(({ status }) => DID_NOT_HAPPEN.has(status));
  if (lost.length > 0) {
    const went = run.transfers.filter(({ status }) => !DID_NOT_HAPPEN.has(status));
    return went.length === 0
      ? `${amountOf(lost)} failed`
      : `${amountOf(went)} moved, ${amountOf(lost)} failed`;
  }
  const isUnderWay = run.status === "IN_PROGRESS";
  const to = destinationWords(moves, run.accounts);
  const moved = sum(moves);
  if (run.startedBy.kind !== "TRANSFER" && run.startedBy.kind !== "CARD_TRANSACTION") {
    return isUnderWay
      ? `${formatCents(moved)} is on its way to ${to}`
      : `It moved ${formatCents(moved)} to ${to}`;
  }
  const arrived = run.startedBy.amountInCents;
  const verb = isUnderWay ? "is on its way to" : "went to";
  return arrived === moved
    ? `${formatCents(arrived)} arrived and ${verb} ${to}`
    : `${formatCents(arrived)} arrived, and ${formatCents(moved)} ${verb} ${to}`;
}

function amountTo(moves: readonly PlannedMove[], names: AccountNames): string {
  return `${formatCents(sum(moves))} to ${destinationWords(moves, names)}`;
}

/** `Taxes`, `4 pods`, `2 accounts`. */
function destinationWords(moves: readonly PlannedMove[], names: AccountNames): string {
  const ids = [...new Set(moves.map(({ destinationAccountId }) => destinationAccountId))];
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return accountName(names, only);
  return `${ids.length} ${areAllPods(names, ids) ? "pods" : "accounts"}`;
}

function sum(amounts: readonly { amountInCents: number }[]): number {
  return amounts.reduce((total, { amountInCents }) => total + amountInCents, 0);
}

function amountOf(transfers: readonly { amountInCents: number }[]): string {
  return formatCents(sum(transfers));
}
