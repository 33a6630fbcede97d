import type { SkippedTimeView } from "@/lib/contract/views/rule-view";
import type { Queryable } from "@/lib/platform/db/transaction";

const MAXIMUM_SKIPPED = 5;

/** Scheduled times of a rule that passed without a run, latest first. */
export async function listSkippedTimes(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<SkippedTimeView[]> {
  const { rows } = await database.query<{
    scheduled_for: Date;
    reason: SkippedTimeView["reason"];
    times: number;
  }>({
    name: "list_skipped_times",
    text: `
      select scheduled_for, reason, times from rule_skipped_times
       where organization_id = $1 and rule_id = $2 order by scheduled_for desc limit $3`,
    values: [organizationId, ruleId, MAXIMUM_SKIPPED],
  });
  return rows.map(({ scheduled_for: scheduledFor, ...skipped }) => ({
    ...skipped,
    scheduledFor: scheduledFor.toISOString(),
  }));
}
