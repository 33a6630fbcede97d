import type { Reading } from "@/lib/views/reading";

/**
 * How many of these proposals no longer wait, or have this member's signature: how far a confirmation for several of them
 * has come.
 */
export async function countDecided(
  { services: { pool }, context: { organizationId, actor } }: Reading,
  proposalIds: readonly string[],
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: "count_decided",
    text: `
      select count(*)::int as count from unnest($2::uuid[]) as asked(id)
       where exists (select from proposals p
               where p.organization_id = $1 and (p.id = asked.id or p.batch_id = asked.id) and p.state <> 'WAITING')
          or exists (select from signatures s
               where s.organization_id = $1 and s.subject_kind = 'PROPOSAL' and s.subject_id = asked.id::text
                 and s.user_id = $3 and s.withdrawn_at is null)`,
    values: [organizationId, proposalIds, actor.id],
  });
  return rows[0]?.count ?? 0;
}
