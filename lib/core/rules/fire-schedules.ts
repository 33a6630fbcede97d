import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { planFiring } from "@/lib/core/rules/plan-firing";
import { startRun } from "@/lib/core/rules/start-run";
import { RUN_RULES } from "@/lib/core/work-names";
import { businessTime } from "@/lib/platform/clock";
import { inTransaction, type Queryable } from "@/lib/platform/db/transaction";
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
  const firing = planFiring(schedule, {
    since: accountedUntil(rule),
    now,
    isPaused: rule.paused_at !== null,
  });
  const isStarted = firing.run !== null && (await startAt(client, { organizationId, id }, firing.run, now));
  await client.query({
    name: "account_for_schedule",
    text: "select account_for_schedule($1, $2, $3, $4, $5, $6)",
    values: [organizationId, id, now, firing.nextRunAt, JSON.stringify(firing.skipped), firing.reason],
  });
  return isStarted;
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
  { organizationId, id: ruleId }: { organizationId: string; id: string },
  scheduledFor: Date,
  now: Date,
): Promise<boolean> {
  const scheduledTime = scheduledFor.toISOString();
  const outcome = await startRun(client, newId(now), {
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
  return outcome === "STARTED";
}
