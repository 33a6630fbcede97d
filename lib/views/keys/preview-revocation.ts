import { type ProposalSubject, readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { requireDisconnectable } from "@/lib/core/keys/disconnect-assistant";
import type { Queryable } from "@/lib/db/transaction";
import type { Reading } from "@/lib/views/reading";

/** The rest is counted but not listed. */
const LISTED = 5;
/** The rest is counted without adding up amounts. */
const ADDED_UP = 1_000;

interface EffectRow {
  effect: "DENIED" | "STOPPED";
  id: string;
  count: number;
}

/** What revoking a key would deny and stop now: the same conditions as `revoke_api_key`. */
export async function previewRevocation(
  database: Queryable,
  organizationId: string,
  keyId: string,
  now: Date,
) {
  const { rows } = await database.query<EffectRow>({
    name: "preview_revocation",
    text: `
      with effects as (
        select 'DENIED' as effect, p.id from proposals p
         where p.organization_id = $1 and p.api_key_id = $2 and p.state = 'WAITING' and p.expires_at > $3
        union all
        select 'STOPPED', stoppable from stoppable_transfers($1, $2) stoppable),
      ranked as (
        select effect, id, count(*) over (partition by effect)::int as count,
            row_number() over (partition by effect order by id desc) as position
          from effects)
      select effect, id, count from ranked where position <= ${ADDED_UP} order by effect, id desc`,
    values: [organizationId, keyId, now],
  });
  const ids = rows.map((row) => row.id);
  const subjects = await readProposalSubjects(database, { organizationId, now }, ids);
  const summarize = (effect: EffectRow["effect"]) =>
    summarizeEffect(
      rows.filter((row) => row.effect === effect),
      subjects,
    );
  return {
    /** Proposals that wait. */
    denied: summarize("DENIED") /** Approved, and neither booked nor with the bank. */,
    stopped: summarize("STOPPED"),
  };
}

export type RevocationView = Awaited<ReturnType<typeof previewRevocation>>;

function summarizeEffect(rows: readonly EffectRow[], subjects: ReadonlyMap<string, ProposalSubject>) {
  const found = rows.flatMap(({ id }) => {
    const subject = subjects.get(id);
    return subject ? [{ id, subject: subject.view }] : [];
  });
  return {
    count: rows[0]?.count ?? 0,
    totalInCents: found.reduce((sum, { subject }) => sum + (subject.amountInCents ?? 0), 0),
    /** The latest of them. */
    listed: found.slice(0, LISTED),
  };
}

/** Transfers that a revocation would end. */
export type RevocationEffectView = ReturnType<typeof summarizeEffect>;

/**
 * What disconnecting an assistant would deny and stop now.
 * @throws AppError as `requireDisconnectable`.
 */
export async function previewDisconnection({ services, context }: Reading, assistantId: string) {
  await requireDisconnectable(services.pool, context, assistantId);
  return previewRevocation(services.pool, context.organizationId, assistantId, context.now);
}
