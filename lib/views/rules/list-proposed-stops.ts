import { ruleHref } from "@/lib/contract/hrefs";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** One key has at most one for a rule. */
const MAXIMUM_LISTED = 20;

/** SQL from `from` on: proposals of organization `$1` that a rule stops, which wait at `$2`. */
const WAITING_STOPS = `
  from rule_deactivation_proposals p
 where p.organization_id = $1 and p.state = 'WAITING' and p.expires_at > $2`;

const PROPOSED_BY_KIND = callerKind("'API_KEY'", "p.api_key_id");

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
      select p.id, ${PROPOSED_BY_KIND} as "byKind", p.api_key_name as "byName", p.reason,
          p.expires_at as "expiresAt"
        ${WAITING_STOPS} and p.rule_id = $3
       order by p.expires_at, p.id limit $4`,
    values: [organizationId, now, ruleId, MAXIMUM_LISTED],
  });
  return rows.map(({ expiresAt, ...row }) => ({ ...row, expiresAt: expiresAt.toISOString() }));
}

/** A program proposes that the rule stops. */
export type ProposedStopView = Awaited<ReturnType<typeof listProposedStops>>[number];

interface WaitingStopRow {
  ruleId: string;
  name: string;
  byKind: StopRow["byKind"];
  byName: string;
  proposedAt: Date;
  count: number;
}

/** The rules that programs propose to stop, the first proposal to expire first, and how many. `now`: business time. */
export async function listWaitingStops(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  limit: number,
) {
  const { rows } = await database.query<WaitingStopRow>({
    name: "list_waiting_stops",
    text: `
      select stop.*, r.name, (count(*) over ())::int as count
        from (select distinct on (p.rule_id) p.rule_id as "ruleId", p.id, ${PROPOSED_BY_KIND} as "byKind",
                p.api_key_name as "byName", p.created_at as "proposedAt", p.expires_at as "expiresAt"
                ${WAITING_STOPS} order by p.rule_id, p.expires_at, p.id) stop
        join rules r on r.organization_id = $1 and r.id = stop."ruleId"
       order by stop."expiresAt", stop.id limit $3`,
    values: [organizationId, now, limit],
  });
  const listed = rows.map(({ ruleId, name, byKind, byName, proposedAt }) => ({
    href: ruleHref(ruleId),
    name,
    proposedBy: { kind: byKind, name: byName },
    proposedAt: proposedAt.toISOString(),
  }));
  return { listed, count: rows[0]?.count ?? 0 };
}

/** Rules that programs propose to stop. */
export type ProposedStopsView = Awaited<ReturnType<typeof listWaitingStops>>;
