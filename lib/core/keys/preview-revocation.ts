import type { RevocationView } from "@/lib/contract/views/keys-view";
import type { Queryable } from "@/lib/platform/db/transaction";

/** More than this is counted and not listed. */
const LISTED = 5;

interface EffectRow {
  effect: "DENIED" | "STOPPED";
  id: string;
  source_name: string;
  destination_name: string;
  amount_in_cents: number;
  count: number;
  total_in_cents: number;
}

/** What revoking a key would deny and stop at this moment: the same conditions as `revoke_api_key`. */
export async function previewRevocation(
  database: Queryable,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<RevocationView> {
  const { rows } = await database.query<EffectRow>({
    name: "preview_revocation",
    text: `
      with effects as (
        select 'DENIED' as effect, p.id from proposals p
         where p.organization_id = $1 and p.api_key_id = $2 and p.state = 'WAITING' and p.expires_at > $3
        union all
        select 'STOPPED', t.id from transfers t
         where t.organization_id = $1 and t.proposed_by_id = $2 and t.proposed_by_kind = 'API_KEY'
           and t.next_step in ('BOOK', 'SUBMIT')),
      ranked as (
        select e.effect, t.id, t.source_account_id, t.destination_account_id, t.amount_in_cents,
            count(*) over (partition by e.effect)::int as count,
            (sum(t.amount_in_cents) over (partition by e.effect))::bigint as total_in_cents,
            row_number() over (partition by e.effect order by t.id desc) as position
          from effects e join transfers t on t.organization_id = $1 and t.id = e.id)
      select r.effect, r.id, s.name as source_name, d.name as destination_name, r.amount_in_cents, r.count,
          r.total_in_cents
        from ranked r
        join accounts s on s.organization_id = $1 and s.id = r.source_account_id
        join accounts d on d.organization_id = $1 and d.id = r.destination_account_id
       where r.position <= ${LISTED}
       order by r.effect, r.id desc`,
    values: [organizationId, keyId, now],
  });
  const summarize = (effect: EffectRow["effect"]) => {
    const listed = rows.filter((row) => row.effect === effect);
    return {
      count: listed[0]?.count ?? 0,
      totalInCents: listed[0]?.total_in_cents ?? 0,
      listed: listed.map((row) => ({
        id: row.id,
        sourceName: row.source_name,
        destinationName: row.destination_name,
        amountInCents: row.amount_in_cents,
      })),
    };
  };
  return { denied: summarize("DENIED"), stopped: summarize("STOPPED") };
}
