import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { wereGatesClosed } from "@/lib/core/keys/gates";
import { type RunStartOutcome, startRun } from "@/lib/core/rules/start-run";
import { RUN_RULES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { latestOccurrences, nextOccurrence } from "@/lib/engine/schedule/occurrences";
import { businessTime } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

interface DueRule {
  organization_id: string;
  id: string;
}

interface ClaimedRule extends DueRule {
  next_run_at: Date;
  activated_at: Date | null;
  scheduled_until: Date | null;
  paused_at: Date | null;
  clock_offset_ms: number;
  definition: unknown;
}

type FiringServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

/** A definition of a newer Sluice is looked at again: whoever went back a version will go forward again. */
const UNREADABLE_PAUSE_MS = 60 * 60_000;

const IS_DUE = "r.next_run_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'";

/**
 * Starts the runs of schedules whose time has come, each rule in a transaction of its own: the run of the latest missed
 * time, the record of earlier ones and the next time are one change. What broke with one rule does not hold up others.
 * @returns how many were due.
 * @throws the first error, after the other rules had their turn.
 */
export async function fireSchedules(services: FiringServices, limit: number): Promise<number> {
  const { rows } = await services.pool.query<DueRule>({
    name: "find_due_schedules",
    text: `
      select r.organization_id, r.id from rules r join organizations o on o.id = r.organization_id
       where r.next_run_at is not null and ${IS_DUE}
       order by r.next_run_at limit $2`,
    values: [services.clock.now(), limit],
  });
  const errors: unknown[] = [];
  let hasStarted = false;
  for (const rule of rows) {
    try {
      const isStarted = await inTransaction(services.pool, (client) => fireRule(services, client, rule));
      hasStarted ||= isStarted;
    } catch (error) {
      services.log.error({ err: error, ruleId: rule.id }, "a schedule could not be fired, will try again");
      errors.push(error);
    }
  }
  if (hasStarted) services.wake(RUN_RULES);
  if (errors.length > 0) throw errors[0];
  return rows.length;
}

/** @returns whether a run began. */
async function fireRule(
  services: Pick<Services, "clock" | "log">,
  client: Queryable,
  { organization_id: organizationId, id }: DueRule,
): Promise<boolean> {
  const rule = await claim(client, { organizationId, id }, services.clock.now());
  // Another worker has it, or has had it.
  if (!rule) return false;
  const now = businessTime(services.clock, rule.clock_offset_ms);
  const schedule = readSchedule(rule.definition);
  if (!schedule) {
    services.log.error({ ruleId: id }, "this version of Sluice cannot read the active schedule of a rule");
    const at = new Date(now.getTime() + UNREADABLE_PAUSE_MS);
    await client.query("select postpone_schedule($1, $2, $3)", [organizationId, id, at]);
    return false;
  }
  const { firing, isStarted } = await fire(client, rule, schedule, now);
  await client.query({
    name: "account_for_schedule",
    text: "select account_for_schedule($1, $2, $3, $4, $5, $6)",
    values: [organizationId, id, now, firing.nextRunAt, JSON.stringify(firing.skipped), firing.reason],
  });
  return isStarted;
}

/** What passes while all gates are closed is recorded and not made up, also when it is looked at after they opened. */
async function fire(
  client: Queryable,
  rule: ClaimedRule,
  schedule: RuleSchedule,
  now: Date,
): Promise<{ firing: Firing; isStarted: boolean }> {
  const plan = (stoppedBecause: StopReason | null) =>
    planFiring(schedule, { since: accountedUntil(rule), now, stoppedBecause });
  const firing = plan(rule.paused_at === null ? null : "PAUSED");
  if (firing.run === null) return { firing, isStarted: false };
  if (await wereGatesClosed(client, rule.organization_id, firing.run)) {
    return { firing: plan("GATES_CLOSED"), isStarted: false };
  }
  const outcome = await startAt(client, rule, firing.run, now);
  // Closed in this very moment.
  if (outcome === "GATES_CLOSED") return { firing: plan("GATES_CLOSED"), isStarted: false };
  return { firing, isStarted: outcome === "STARTED" };
}

/**
 * The rule's row, kept from every rival until the commit: other workers, and whoever activates, pauses or deactivates.
 * It does not stand in the way of runs, which share the row.
 */
async function claim(
  client: Queryable,
  { organizationId, id }: { organizationId: string; id: string },
  realNow: Date,
): Promise<ClaimedRule | null> {
  const { rows } = await client.query<ClaimedRule>({
    name: "claim_due_schedule",
    text: `
      select r.organization_id, r.id, r.next_run_at, r.activated_at, r.scheduled_until, r.paused_at,
          o.clock_offset_ms, v.definition
        from rules r
        join organizations o on o.id = r.organization_id
        join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
         and v.version = r.active_version
       where r.organization_id = $2 and r.id = $3 and ${IS_DUE}
         for no key update of r skip locked`,
    values: [realNow, organizationId, id],
  });
  return rows[0] ?? null;
}

function readSchedule(definition: unknown): RuleSchedule | null {
  const trigger = ruleDefinitionSchema.safeParse(definition).data?.trigger;
  return trigger?.type === "SCHEDULED" ? trigger.schedule : null;
}

/** Times at or before this ran, were recorded, or were before the activation. */
function accountedUntil({ activated_at, scheduled_until, next_run_at }: ClaimedRule): Date {
  const known = [activated_at, scheduled_until].filter((at) => at !== null).map((at) => at.getTime());
  return new Date(known.length > 0 ? Math.max(...known) : next_run_at.getTime() - 1);
}

/** A schedule's run asks nobody: a person activated the version that names its times. */
async function startAt(
  client: Queryable,
  { organization_id: organizationId, id: ruleId }: DueRule,
  scheduledFor: Date,
  now: Date,
): Promise<RunStartOutcome> {
  const scheduledTime = scheduledFor.toISOString();
  return startRun(client, newId(now), {
    organizationId,
    ruleId,
    triggerDetails: { type: "SCHEDULED", scheduledTime },
    incomingAmountInCents: null,
    startedBy: { kind: "SCHEDULE", id: null, name: null },
    cause: { kind: "SCHEDULE", id: scheduledTime },
    approvalRequired: false,
    reasonForApproval: null,
    request: null,
    now,
  });
}

/** A scheduled time without a run. More than one of `times`: a stretch that ends with `at`. */
interface SkippedTime {
  at: Date;
  times: number;
}

/** Why a rule whose time has come does not run at all. */
type StopReason = "PAUSED" | "GATES_CLOSED";

interface Firing {
  /** The latest time that was missed; null: nothing runs now. */
  run: Date | null;
  skipped: SkippedTime[];
  reason: "DOWNTIME" | StopReason;
  /** Null: nothing is left to run. */
  nextRunAt: Date | null;
}

/** Of so many each has a row of its own; older ones share one. */
const SINGLE_SKIPS = 100;
/** A rule of every minute that nobody ran for a year would count half a million; its row says "10,000" then. */
const MAXIMUM_SKIPS_COUNTED = 10_000;

/**
 * What is to be done about the scheduled times since they were last accounted for: one run, for the latest of them, and
 * a record of the others; while a return has paused the rule, or all gates are closed, a record of all.
 *
 * Source: decisions page, "Schedules" after downtime.
 * @param since nothing at or before it counts
 * @param now business time
 */
export function planFiring(
  schedule: RuleSchedule,
  { since, now, stoppedBecause }: { since: Date; now: Date; stoppedBecause: StopReason | null },
): Firing {
  const earliest = new Date(since.getTime() + 1);
  const missed = latestOccurrences(schedule, now, earliest, SINGLE_SKIPS + MAXIMUM_SKIPS_COUNTED + 1);
  const skipped = stoppedBecause ? missed : missed.slice(1);
  const singles = skipped.slice(0, SINGLE_SKIPS).map((at) => ({ at, times: 1 }));
  const rest = skipped.slice(SINGLE_SKIPS, SINGLE_SKIPS + MAXIMUM_SKIPS_COUNTED);
  const [latestOfRest] = rest;
  return {
    run: stoppedBecause ? null : (missed[0] ?? null),
    skipped: latestOfRest ? [...singles, { at: latestOfRest, times: rest.length }] : singles,
    reason: stoppedBecause ?? "DOWNTIME",
    nextRunAt: nextOccurrence(schedule, now),
  };
}
