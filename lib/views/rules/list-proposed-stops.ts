import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** One key has at most one for a rule. */
const MAXIMUM_LISTED = 20;

interface StopRow {
  id: string;
  byKind: "API_KEY" | "ASSISTANT";
  byName: string;
  reason: string | null;
  expiresAt: Date;
}

/** Programs' proposals that a rule stops, which wait for a member; the first to expire first. `now`: business time. */
export async function listProposedStops(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  ruleId: string,
) {
  const { rows } = await database.query<StopRow>({
    name: "list_proposed_stops",
    text: `
      select p.id, ${callerKind("'API_KEY'", "p.api_key_id")} as "byKind", p.api_key_name as "byName", p.reason,
          p.expires_at as "expiresAt"
        from rule_deactivation_proposals p
       where p.organization_id = $1 and p.rule_id = $2 and p.state = 'WAITING' and p.expires_at > $3
       order by p.expires_at, p.id limit $4`,
    values: [organizationId, ruleId, now, MAXIMUM_LISTED],
  });
  return rows.map(({ expiresAt, ...row }) => ({ ...row, expiresAt: expiresAt.toISOString() }));
}

/** A program proposes that the rule stops. */
export type ProposedStopView = Awaited<ReturnType<typeof listProposedStops>>[number];
