import type { Queryable } from "@/lib/db/transaction";
import type { Unanswered } from "@/proof/fuzz/check-answer";

/**
 * Whether the fuzz ordered on /sandbox that the bank was silent for this organization at that time. A clock that was moved
 * since then has ended the silence earlier than the books say now, so the order alone explains it.
 */
export async function isOrderedSilence(
  database: Queryable,
  { organizationId, at }: Unanswered,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from sandbox_actions s join organizations o on o.id = s.organization_id
      where s.organization_id = $1 and s.action ->> 'kind' = 'SILENCED'
        and s.created_at <= $2::timestamptz + o.clock_offset_ms * interval '1 millisecond'
        and ((s.action ->> 'untilAt')::timestamptz > $2::timestamptz + o.clock_offset_ms * interval '1 millisecond'
          or exists (select from sandbox_actions m where m.organization_id = $1 and m.action ->> 'kind' = 'MOVED_CLOCK'
            and m.created_at >= s.created_at))`,
    [organizationId, at],
  );
  return (rowCount ?? 0) > 0;
}
