import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { SkipReason } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { BacktestVersionView, BacktestView, BacktestWeekView } from "@/lib/contract/views/backtest-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { isManaged, type RuleHistory } from "@/lib/engine/backtest/history";
import type { SimulatedRun, Simulation } from "@/lib/engine/backtest/simulate";
import { calendarDate } from "@/lib/engine/calendar-date";
import { periodStart } from "@/lib/engine/limit-period";

interface SimulatedVersion {
  version: number;
  definition: Pick<RuleDefinition, "trigger" | "steps">;
  simulation: Simulation;
}

interface BacktestParts {
  history: RuleHistory;
  candidate: SimulatedVersion;
  active: SimulatedVersion | null;
  isCut: boolean;
  byOthers: BacktestView["byOthers"];
  time: TimeContext;
}

const WEEK_MS = 7 * 86_400_000;

/** What two simulations of one history come to, side by side. Pure. */
export function buildBacktestView({
  history,
  candidate,
  active,
  isCut,
  byOthers,
  time,
}: BacktestParts): BacktestView {
  const ids = [...new Set([candidate, active].flatMap((one) => (one ? destinations(one) : [])))];
  const moved = movedTo(candidate.simulation.runs);
  const movedByActive = active ? movedTo(active.simulation.runs) : null;
  const name = (id: string) => history.accounts[id]?.name ?? "";
  const from = calendarDate(new Date(history.from), history.timeZone);
  const until = calendarDate(new Date(history.until), history.timeZone);
  return {
    from,
    until,
    version: describe(candidate),
    active: active ? describe(active) : null,
    sourceName: name(candidate.definition.trigger.accountId),
    destinations: ids.map((id) => ({
      accountId: id,
      name: name(id),
      inCents: moved.get(id) ?? 0,
      activeInCents: movedByActive ? (movedByActive.get(id) ?? 0) : null,
    })),
    weeks: weeksOf(from, until, ids, candidate.simulation.runs),
    asToday: Object.values(history.accounts).flatMap((account) => (isManaged(account) ? [] : [account.name])),
    isCut,
    byOthers,
    time,
  };
}

function destinations({ definition }: SimulatedVersion): string[] {
  return definition.steps.flatMap((step) => step.actions.flatMap((action) => [...destinationsOf(action)]));
}

function movedTo(runs: readonly SimulatedRun[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { destinationAccountId, amountInCents } of runs.flatMap((run) => run.moves)) {
    sums.set(destinationAccountId, (sums.get(destinationAccountId) ?? 0) + amountInCents);
  }
  return sums;
}

function describe({
  version,
  definition,
  simulation: { runs, lowest },
}: SimulatedVersion): BacktestVersionView {
  const ofKind = (kind: SimulatedRun["kind"]) => runs.filter((run) => run.kind === kind).length;
  const withOutcome = (outcome: SimulatedRun["outcome"]) =>
    runs.filter((run) => run.outcome === outcome).length;
  return {
    version,
    triggerType: definition.trigger.type,
    occasions: { arrivals: ofKind("ARRIVAL"), scheduled: ofKind("SCHEDULE"), asked: ofKind("ASKED") },
    movedInCents: [...movedTo(runs).values()].reduce((sum, cents) => sum + cents, 0),
    brokeOff: withOutcome("BROKE_OFF"),
    unknown: withOutcome("UNKNOWN"),
    skipped: countReasons(runs.flatMap(({ skipped }) => skipped)),
    conditionsNotMet: withOutcome("CONDITIONS_NOT_MET"),
    lowest,
  };
}

function countReasons(reasons: readonly SkipReason[]): BacktestVersionView["skipped"] {
  return [...new Set(reasons)].map((reason) => ({
    reason,
    count: reasons.filter((one) => one === reason).length,
  }));
}

/** Every week of the time, those without a run too. */
function weeksOf(
  from: string,
  until: string,
  destinationIds: readonly string[],
  runs: readonly SimulatedRun[],
): BacktestWeekView[] {
  const first = Date.parse(`${periodStart("WEEK", from)}T00:00:00Z`);
  const last = Date.parse(`${periodStart("WEEK", until)}T00:00:00Z`);
  const count = Math.round((last - first) / WEEK_MS) + 1;
  const runsOf = new Map<string | null, SimulatedRun[]>();
  for (const run of runs) {
    const week = periodStart("WEEK", run.date);
    runsOf.set(week, [...(runsOf.get(week) ?? []), run]);
  }
  return Array.from({ length: count }, (_, index) => {
    const startsOn = new Date(first + index * WEEK_MS).toISOString().slice(0, 10);
    const moved = movedTo(runsOf.get(startsOn) ?? []);
    return { startsOn, movedInCents: destinationIds.map((id) => moved.get(id) ?? 0) };
  });
}
