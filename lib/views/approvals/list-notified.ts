import type { Queryable } from "@/lib/db/transaction";

/** One wave of messages about a proposal over one channel. */
export interface NotifiedWave {
  at: Date;
  channel: "EMAIL" | "SMS";
  kind: "APPROVAL_ASKED" | "APPROVAL_REMINDER" | "APPROVAL_DECIDED";
  recipients: string[];
  deliveredCount: number;
  failedCount: number;
}

interface WaveRow {
  at: Date;
  channel: "EMAIL" | "SMS";
  kind: NotifiedWave["kind"];
  recipients: string[];
  delivered: number;
  failed: number;
}

/** Who was told of a proposal, and whether it arrived: first names for email, the end of the number for SMS. */
export async function listNotified(
  database: Queryable,
  organizationId: string,
  proposalId: string,
): Promise<NotifiedWave[]> {
  const { rows } = await database.query<WaveRow>({
    name: "list_notified",
    text: `
      select min(m.created_at) as at, m.channel, m.kind,
          json_agg(case m.channel when 'EMAIL' then split_part(u.name, ' ', 1) else '••' || right(m.recipient, 2) end
            order by u.name) as recipients,
          count(*) filter (where m.status = 'SENT')::int as delivered,
          count(*) filter (where m.status = 'FAILED')::int as failed
        from message_proposals mp
        join messages m on m.organization_id = mp.organization_id and m.id = mp.message_id
        join users u on u.id = m.user_id
       where mp.organization_id = $1 and mp.proposal_id = $2
       group by m.kind, m.channel
       order by 1, 2
       limit 20`,
    values: [organizationId, proposalId],
  });
  return rows.map((row) => ({
    at: row.at,
    channel: row.channel,
    kind: row.kind,
    recipients: row.recipients,
    deliveredCount: row.delivered,
    failedCount: row.failed,
  }));
}
