import { ruleHref } from "@/lib/contract/hrefs";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** State of a version. `PROPOSED`: it could be activated. `PAST`: it was active, and could be again. */
export type RuleVersionState = "ACTIVE" | "PROPOSED" | "PAST" | "DISCARDED";

/** A page shows this many; older versions remain available by URL. */
const MAXIMUM_VERSIONS = 20;

const MADE_BY_KIND = callerKind("v.created_by_kind", "v.created_by_id");

interface Row {
  version: number;
  createdByKind: "API_KEY" | "ASSISTANT" | "MEMBER";
  createdByName: string;
  createdAt: Date;
  reason: string | null;
  state: RuleVersionState;
}

/**
 * A rule's versions, newest first, always including the requested one.
 * @param shownVersion listed even if it is older than the newest ones
 */
export async function listVersions(
  database: Queryable,
  organizationId: string,
  { ruleId, shownVersion }: { ruleId: string; shownVersion: number },
) {
  const { rows } = await database.query<Row>({
    name: "list_rule_versions",
    text: `
      with newest as (
        select version from rule_versions where organization_id = $1 and rule_id = $2
         order by version desc limit $4)
      select v.version, ${MADE_BY_KIND} as "createdByKind", v.created_by_name as "createdByName",
          v.created_at as "createdAt", v.reason,
          case
            when v.version = r.active_version then 'ACTIVE'
            when exists (select from rule_version_discards d where d.organization_id = $1 and d.rule_id = $2
              and d.version = v.version) then 'DISCARDED'
            when exists (select from rule_events e where e.organization_id = $1 and e.rule_id = $2
              and e.kind = 'ACTIVATED' and e.version = v.version) then 'PAST'
            else 'PROPOSED'
          end as state
        from rule_versions v join rules r on r.organization_id = v.organization_id and r.id = v.rule_id
       where v.organization_id = $1 and v.rule_id = $2
         and (v.version in (select version from newest) or v.version in ($3, r.active_version))
       order by v.version desc`,
    values: [organizationId, ruleId, shownVersion, MAXIMUM_VERSIONS],
  });
  return rows.map((row) => ({
    number: row.version,
    state: row.state,
    createdBy: { kind: row.createdByKind, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
    /** The author's reason; null without one. */
    reason: row.reason,
    href: ruleHref(ruleId, row.version),
  }));
}

export type RuleVersionView = Awaited<ReturnType<typeof listVersions>>[number];
