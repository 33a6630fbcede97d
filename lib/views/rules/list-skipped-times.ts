import type { Queryable } from "@/lib/db/transaction";

/** A scheduled time that passed without a run. */
export interface SkippedTimeView {
  scheduledFor: string;
  /** `DOWNTIME`: a later one was run instead. `PAUSED`: a return had paused the rule. */
  reason: "DOWNTIME" | "PAUSED" | "GATES_CLOSED";
  /** More than 1: so many times, of which `scheduledFor` is the latest. */
  times: number;
  recordedAt: string;
}

const MAXIMUM_LISTED = 200;

/** The scheduled times of a rule that passed without a run, latest first. @param limit at most 200 */
export async function listSkippedTimes(
  database: Queryable,
  { organizationId, ruleId }: { organizationId: string; ruleId: string },
  limit: number,
): Promise<SkippedTimeView[]> {
  const { rows } = await database.query<{
    scheduled_for: Date;
    reason: SkippedTimeView["reason"];
    times: number;
    recorded_at: Date;
  }>({
    name: "list_skipped_times",
    text: `
      select scheduled_for, reason, times, recorded_at from rule_skipped_times
       where organization_id = $1 and rule_id = $2 order by scheduled_for desc limit $3`,
    values: [organizationId, ruleId, Math.min(limit, MAXIMUM_LISTED)],
  });
  return rows.map((row) => ({
    scheduledFor: row.scheduled_for.toISOString(),
    reason: row.reason,
    times: row.times,
    recordedAt: row.recorded_at.toISOString(),
  }));
}
