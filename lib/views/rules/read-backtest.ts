import { AppError } from "@/lib/contract/error";
import { DATE_WINDOW_MS } from "@/lib/contract/limits";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { SkipReason } from "@/lib/contract/rules/plan";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { simulatingAhead, WEEKS_AHEAD } from "@/lib/engine/backtest/ahead";
import {
  isManaged,
  latestOccasions,
  maximumOccasions,
  occasionsOf,
  type RuleHistory,
  scheduledTimes,
} from "@/lib/engine/backtest/occasions";
import { type SimulatedRun, type Simulation, simulating } from "@/lib/engine/backtest/simulate";
import { periodStart } from "@/lib/engine/limits";
import { calendarDate, dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import { inSlices } from "@/lib/platform/slices";
import type { Reading } from "@/lib/views/reading";
import { readRuleHistory } from "@/lib/views/rules/read-rule-history";

interface BacktestInput {
  ruleId: string;
  /** Null: the latest. */
  version: number | null;
}

/** A version to simulate. */
interface Candidate {
  version: number;
  definition: RuleDefinition;
}

/**
 * What a version of a rule would have moved over the last 90 days, and the active version in its place, both simulated
 * on the same history. Any member may read it.
 * @throws AppError `RULE_NOT_FOUND` for an unknown rule or version; `INVALID_RULE` for one that this version of Sluice
 *   cannot represent.
 */
export async function readBacktest({ services, context }: Reading, { ruleId, version }: BacktestInput) {
  const { pool } = services;
  const { timeZone, firstActiveAt, candidate, active } = await readVersions(
    pool,
    context.organizationId,
    ruleId,
    version,
  );
  const versions = active ? [candidate, active] : [candidate];
  const { history, present, isCut, byOthers } = await readRuleHistory(pool, context, {
    ruleId,
    from: new Date(context.now.getTime() - DATE_WINDOW_MS),
    timeZone,
    accountIds: [...new Set(versions.flatMap(({ definition }) => accountsOf(definition)))],
    arrivalAccountIds: [...new Set(versions.flatMap(({ definition }) => arrivalAccount(definition)))],
    limits: allLimits(versions),
    routes: versions.flatMap(({ definition }) => routesOf(definition)),
    firstActiveAt,
  });
  const latest = latestOccasions(
    versions.map(({ definition }) =>
      occasionsOf(definition, history, scheduledTimes(definition, history.from, history.until)),
    ),
    maximumOccasions(
      versions.map(({ definition }) => definition),
      Object.keys(history.accounts).length,
    ),
  );
  const simulations: SimulatedVersion[] = [];
  for (const [index, { version: number, definition }] of versions.entries()) {
    const simulation = await inSlices(simulating(definition, history, latest.lists[index] ?? []));
    simulations.push({ version: number, definition, simulation });
  }
  const [simulated, simulatedActive] = simulations;
  if (!simulated) throw new Error("A simulation is missing");
  const isCutShort = isCut || latest.from !== null;
  // A part of the 90 days would be taken for all of them.
  const ahead = isCutShort ? null : await inSlices(simulatingAhead(simulated.definition, history, present));
  return buildBacktestView({
    history: { ...history, from: latest.from ?? history.from },
    candidate: simulated,
    active: simulatedActive ?? null,
    ahead,
    isCut: isCutShort,
    byOthers,
    time: { nowAt: context.now.toISOString(), timeZone, locale: "en-US" },
  });
}

interface VersionRow {
  version: number;
  definition: unknown;
  isActive: boolean;
  isAsked: boolean;
  timeZone: string;
  firstActiveAt: Date | null;
}

async function readVersions(
  database: Queryable,
  organizationId: string,
  ruleId: string,
  version: number | null,
) {
  const { rows } = await database.query<VersionRow>({
    name: "read_backtest_versions",
    text: `
      select v.version, v.definition, v.version is not distinct from r.active_version as "isActive", o.time_zone as "timeZone",
          v.version = coalesce($3, r.latest_version) as "isAsked",
          coalesce((select min(e.at) from rule_events e where e.organization_id = $1 and e.rule_id = r.id
            and e.kind = 'ACTIVATED'), r.activated_at) as "firstActiveAt"
        from rules r
        join organizations o on o.id = r.organization_id
        join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
         and v.version in (coalesce($3, r.latest_version), r.active_version)
       where r.organization_id = $1 and r.id = $2`,
    values: [organizationId, ruleId, version],
  });
  const asked = rows.find((row) => row.isAsked);
  if (!asked) {
    const what = version === null ? "rule" : `version ${version} of a rule`;
    throw new AppError("RULE_NOT_FOUND", `There is no ${what} ${ruleId}.`);
  }
  const active = rows.find((row) => row.isActive && !row.isAsked);
  return {
    timeZone: asked.timeZone,
    firstActiveAt: asked.firstActiveAt,
    candidate: toCandidate(asked),
    active: active ? toCandidate(active) : null,
  };
}

function toCandidate({ version, definition }: VersionRow): Candidate {
  const parsed = storedRuleDefinitionSchema.safeParse(definition);
  if (parsed.success) return { version, definition: parsed.data };
  throw new AppError(
    "INVALID_RULE",
    `This version of Sluice cannot represent version ${version} of the rule.`,
  );
}

function arrivalAccount({ trigger }: RuleDefinition): string[] {
  return trigger.type === "ON_FUNDS_TRANSFERRED" ? [trigger.accountId] : [];
}

function routesOf({ steps }: RuleDefinition) {
  return steps.flatMap((step) =>
    step.actions.flatMap((action) =>
      destinationsOf(action).map((destinationAccountId) => ({
        sourceAccountId: action.sourceAccountId,
        destinationAccountId,
      })),
    ),
  );
}

/** IDs are stable across versions; if a version changes a limit's period, each version counts its own from there. */
function allLimits(versions: readonly Candidate[]): RuleDefinition["limits"] {
  const limits = new Map(
    versions.flatMap(({ definition }) => definition.limits.map((limit) => [limit.id, limit] as const)),
  );
  return [...limits.values()];
}

interface SimulatedVersion {
  version: number;
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  simulation: Simulation;
}

interface BacktestParts {
  history: RuleHistory;
  candidate: SimulatedVersion;
  active: SimulatedVersion | null;
  /** The weeks after the history; null if it is cut short. */
  ahead: Simulation | null;
  isCut: boolean;
  byOthers: { count: number; inCents: number };
  time: TimeContext;
}

const WEEK_MS = 7 * 86_400_000;

/** Compares two simulations of the same history. Pure. */
function buildBacktestView({ history, candidate, active, ahead, isCut, byOthers, time }: BacktestParts) {
  const ids = [...new Set([candidate, active].flatMap((one) => (one ? destinations(one) : [])))];
  const moved = movedTo(candidate.simulation.runs);
  const movedByActive = active ? movedTo(active.simulation.runs) : null;
  const name = (id: string) => history.accounts[id]?.name ?? "";
  const from = calendarDate(new Date(history.from), history.timeZone);
  const until = calendarDate(new Date(history.until), history.timeZone);
  return {
    /** Calendar dates, `YYYY-MM-DD`, both included. */
    from,
    /** Calendar date of the last day. */
    until,
    version: describe(candidate),
    /** Null: no version is active, or it is this one. */
    active: active ? describe(active) : null,
    /** Name of the account whose money it starts from. */
    sourceName: name(candidate.definition.trigger.accountId),
    /** Destinations of the version in the order of its actions, then those only the active one has. */
    destinations: ids.map((id) => ({
      accountId: id,
      name: name(id),
      inCents: moved.get(id) ?? 0,
      /** By the active version; null without another active one. */
      activeInCents: movedByActive ? (movedByActive.get(id) ?? 0) : null,
    })),
    /** From the present week on, like the past ones. */
    weeks: weeksOf(from, until, ids, candidate.simulation.runs),
    /** Null: it would not run, or too much happened to repeat it. */
    ahead: ahead && buildAhead(candidate, history, ahead, ids),
    /** Accounts at other institutions, which are assumed to be as they are today. */
    asToday: Object.values(history.accounts).flatMap((account) => (isManaged(account) ? [] : [account.name])),
    /** Too much happened to simulate all: `from` is later than requested. */
    isCut,
    /** What others moved on the rule's routes before it was first active. Unchanged by the simulation. */
    byOthers,
    time,
  };
}

/** What the version would move in the coming weeks, if everything else moves as in the last ones. */
export type BacktestAheadView = NonNullable<BacktestView["ahead"]>;

/** What a version of a rule would have moved over the last days, and the active one in its place. */
export type BacktestView = ReturnType<typeof buildBacktestView>;

function buildAhead(
  { version, definition }: SimulatedVersion,
  history: RuleHistory,
  simulation: Simulation,
  destinationIds: readonly string[],
) {
  if (simulation.runs.length === 0) return null;
  const from = calendarDate(new Date(history.until), history.timeZone);
  const until = dateOf(dayOf(from) + WEEKS_AHEAD * 7);
  return {
    until,
    weeks: weeksOf(from, until, destinationIds, simulation.runs),
    version: describe({ version, definition, simulation }),
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

function describe({ version, definition, simulation: { runs, lowest } }: SimulatedVersion) {
  const ofKind = (kind: SimulatedRun["kind"]) => runs.filter((run) => run.kind === kind).length;
  const withOutcome = (outcome: SimulatedRun["outcome"]) =>
    runs.filter((run) => run.outcome === outcome).length;
  return {
    version,
    triggerType: definition.trigger.type,
    /** Times at which it would have run, by trigger. */
    occasions: { arrivals: ofKind("ARRIVAL"), scheduled: ofKind("SCHEDULE"), asked: ofKind("ASKED") },
    movedInCents: [...movedTo(runs).values()].reduce((sum, cents) => sum + cents, 0),
    /** Runs that would have ended at a transfer without enough money. */
    brokeOff: withOutcome("BROKE_OFF"),
    /** Runs that would have waited for an unknown value. */
    unknown: withOutcome("UNKNOWN"),
    /** Transfers that would have been skipped, by reason; reasons without any are left out. */
    skipped: countReasons(runs.flatMap(({ skipped }) => skipped)),
    /** Runs in which no step would have matched. */
    conditionsNotMet: withOutcome("CONDITIONS_NOT_MET"),
    /** The lowest balance of its account; null if the books do not know. */
    lowest,
  };
}

/** What one version would have moved. */
export type BacktestVersionView = ReturnType<typeof describe>;

function countReasons(reasons: readonly SkipReason[]) {
  return [...new Set(reasons)].map((reason) => ({
    reason,
    count: reasons.filter((one) => one === reason).length,
  }));
}

/** Every week of the period, including those without a run. */
function weeksOf(
  from: string,
  until: string,
  destinationIds: readonly string[],
  runs: readonly SimulatedRun[],
) {
  const first = Date.parse(`${periodStart("WEEK", from)}T00:00:00Z`);
  const last = Date.parse(`${periodStart("WEEK", until)}T00:00:00Z`);
  const count = Math.round((last - first) / WEEK_MS) + 1;
  const runsOf = new Map<string | null, SimulatedRun[]>();
  for (const run of runs) {
    const week = periodStart("WEEK", run.date);
    const ofWeek = runsOf.get(week);
    if (ofWeek) ofWeek.push(run);
    else runsOf.set(week, [run]);
  }
  return Array.from({ length: count }, (_, index) => {
    const startsOn = new Date(first + index * WEEK_MS).toISOString().slice(0, 10);
    const moved = movedTo(runsOf.get(startsOn) ?? []);
    return {
      /** `YYYY-MM-DD`. */
      startsOn /** By the version shown, one entry per destination, in order. */,
      movedInCents: destinationIds.map((id) => moved.get(id) ?? 0),
    };
  });
}

/** A calendar week, which begins on Monday. */
export type BacktestWeekView = ReturnType<typeof weeksOf>[number];
