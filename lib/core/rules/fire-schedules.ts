import { storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
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
  organizationId: string;
  id: string;
}

interface ClaimedRule extends DueRule {
  nextRunAt: Date;
  activatedAt: Date | null;
  scheduledUntil: Date | null;
  pausedAt: Date | null;
  clockOffsetMs: number;
  definition: unknown;
}

type FiringServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

/** A definition of a newer Sluice is retried, in case a rollback of Sluice is upgraded again. */
const UNREADABLE_PAUSE_MS = 60 * 60_000;

const IS_DUE = `r.next_run_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
    and r.next_run_at <= (select latest_business_time($1))`;

/**
 * Starts the runs of due schedules, each rule in its own transaction: the run of the latest missed time, the record of
 * earlier ones and the next time are one change. An error of one rule does not block others.
 * @returns how many were due.
 * @throws the first error, after all rules were tried.
 */
export async function fireSchedules(services: FiringServices, limit: number): Promise<number> {
  const { rows } = await services.pool.query<DueRule>({
    name: "find_due_schedules",
    text: `
      select r.organization_id as "organizationId", r.id from rules r join organizations o on o.id = r.organization_id
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
      services.log.error(
        { err: error, ruleId: rule.id },
        "a schedule could not be fired and will be retried",
      );
      errors.push(error);
    }
  }
  if (hasStarted) services.wake(RUN_RULES);
  if (errors.length > 0) throw errors[0];
  return rows.length;
}

/** @returns whether a run was started. */
async function fireRule(
  services: Pick<Services, "clock" | "log">,
  client: Queryable,
  { organizationId, id }: DueRule,
): Promise<boolean> {
  const rule = await claim(client, { organizationId, id }, services.clock.now());
  // Another worker holds it or has handled it.
  if (!rule) return false;
  const now = businessTime(services.clock, rule.clockOffsetMs);
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

/** Times while all gates were closed are recorded and not repeated, even if processed after the gates opened. */
async function fire(
  client: Queryable,
  rule: ClaimedRule,
  schedule: RuleSchedule,
  now: Date,
): Promise<{ firing: Firing; isStarted: boolean }> {
  const plan = (stoppedBecause: StopReason | null) =>
    planFiring(schedule, { since: accountedUntil(rule), now, stoppedBecause });
  const firing = plan(rule.pausedAt === null ? null : "PAUSED");
  if (firing.run === null) return { firing, isStarted: false };
  if (await wereGatesClosed(client, rule.organizationId, firing.run)) {
    return { firing: plan("GATES_CLOSED"), isStarted: false };
  }
  const outcome = await startAt(client, rule, firing.run, now);
  // The gates closed at the same moment.
  if (outcome === "GATES_CLOSED") return { firing: plan("GATES_CLOSED"), isStarted: false };
  return { firing, isStarted: outcome === "STARTED" };
}

/**
 * Locks the rule's row until the commit against other workers and against activating, pausing and deactivating. Runs only
 * need a shared lock and are not blocked.
 */
async function claim(
  client: Queryable,
  { organizationId, id }: { organizationId: string; id: string },
  realNow: Date,
): Promise<ClaimedRule | null> {
  const { rows } = await client.query<ClaimedRule>({
    name: "claim_due_schedule",
    text: `
      select r.organization_id as "organizationId", r.id, r.next_run_at as "nextRunAt", r.activated_at as "activatedAt",
          r.scheduled_until as "scheduledUntil", r.paused_at as "pausedAt",
          o.clock_offset_ms as "clockOffsetMs", v.definition
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
  const trigger = storedRuleDefinitionSchema.safeParse(definition).data?.trigger;
  return trigger?.type === "SCHEDULED" ? trigger.schedule : null;
}

/** Times up to this one ran, were recorded, or precede the activation. */
function accountedUntil({ activatedAt, scheduledUntil, nextRunAt }: ClaimedRule): Date {
  const known = [activatedAt, scheduledUntil].filter((at) => at !== null).map((at) => at.getTime());
  return new Date(known.length > 0 ? Math.max(...known) : nextRunAt.getTime() - 1);
}

/** No approval: a person activated the version that contains the schedule. */
async function startAt(
  client: Queryable,
  { organizationId, id: ruleId }: DueRule,
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

/** Scheduled times without a run; if `times` is more than one, the last of them is `at`. */
interface SkippedTime {
  at: Date;
  times: number;
}

/** Why a due rule does not run. */
type StopReason = "PAUSED" | "GATES_CLOSED";

interface Firing {
  /** The latest missed time; null: nothing runs now. */
  run: Date | null;
  skipped: SkippedTime[];
  reason: "DOWNTIME" | StopReason;
  /** Null: nothing is left to run. */
  nextRunAt: Date | null;
}

/** This many skipped times have their own row; older ones share one. */
const SINGLE_SKIPS = 100;
/** Bounds the count: a rule that runs every minute would miss half a million times in a year of downtime. */
const MAXIMUM_SKIPS_COUNTED = 10_000;

/**
 * Plans the scheduled times since they were last accounted for: one run for the latest one and a record of the others;
 * while the rule is paused or all gates are closed, a record of all (docs/behavior/rules.md).
 * @param since exclusive
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
