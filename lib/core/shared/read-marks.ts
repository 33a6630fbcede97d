import type { Queryable } from "@/lib/db/transaction";
import type { WaitedFor } from "@/lib/platform/change-waits";

/**
 * A text per subject that differs after every change that its reader would see; null if there is none. By primary keys,
 * and a run's transfers by their index.
 */
export async function readMarks(
  database: Queryable,
  subjects: readonly WaitedFor[],
): Promise<(string | null)[]> {
  const { rows } = await database.query<{ mark: string | null }>({
    name: "read_change_marks",
    text: `
      select case w.kind
          when 'TRANSFER' then (
            select concat_ws(' ', t.status, t.updated_at, t.withdrawn_at) from transfers t
             where t.organization_id = w.organization_id and t.id = w.id)
          when 'RULE_RUN' then (
            select concat_ws(' ', e.status, e.next_attempt_at, e.ended_at, (
                select string_agg(concat_ws(' ', t.id, t.status), ' ' order by t.id) from transfers t
                 where t.organization_id = e.organization_id and t.rule_execution_id = e.id))
              from rule_executions e where e.organization_id = w.organization_id and e.id = w.id)
          else coalesce(
            (select p.state from proposals p where p.organization_id = w.organization_id and p.id = w.id),
            (select d.state from rule_deactivation_proposals d
              where d.organization_id = w.organization_id and d.id = w.id),
            (select concat_ws(' ', y.version, y.removed_at) from payees y
              where y.organization_id = w.organization_id and y.id = w.id),
            (select concat_ws(' ', r.active_version, r.latest_version, r.deleted_at) from rule_versions v
               join rules r on r.organization_id = v.organization_id and r.id = v.rule_id
              where v.organization_id = w.organization_id and v.proposal_id = w.id limit 1)) end as mark
        from unnest($1::text[], $2::uuid[], $3::uuid[]) with ordinality as w (kind, organization_id, id, place)
       order by w.place`,
    values: [
      subjects.map(({ kind }) => kind),
      subjects.map(({ organizationId }) => organizationId),
      subjects.map(({ id }) => id),
    ],
  });
  return rows.map(({ mark }) => mark);
}
