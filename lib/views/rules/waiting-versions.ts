import { ruleHref } from "@/lib/contract/hrefs";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** A version that a person has yet to activate. */
export interface WaitingVersionView {
  href: string;
  name: string;
  version: number;
  /** The version that runs until then. */
  activeVersion: number | null;
  proposedBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };
  proposedAt: string;
}

/** Versions that wait for their activation, latest first. */
export interface ProposedRulesView {
  listed: WaitingVersionView[];
  count: number;
}

/**
 * SQL from `from` on: `rules r` of organization `$1` whose version `latest` no one has activated yet. A member's own
 * inactive rule waits for no one, and neither does a deactivated one.
 */
export const WAITING_VERSIONS = `
  from rules r
  join rule_versions latest on latest.organization_id = $1 and latest.rule_id = r.id
    and latest.version = r.latest_version
 where r.organization_id = $1 and r.deleted_at is null and r.latest_version is distinct from r.active_version
   and (r.active_version is not null or latest.created_by_kind <> 'MEMBER')
   and not exists (select from rule_events v where v.organization_id = $1 and v.rule_id = r.id
     and v.kind = 'ACTIVATED' and v.version = r.latest_version)`;

const PROPOSED_BY_KIND = callerKind("latest.created_by_kind", "latest.created_by_id");

interface WaitingRow {
  id: string;
  name: string;
  version: number;
  activeVersion: number | null;
  proposedByKind: WaitingVersionView["proposedBy"]["kind"];
  proposedByName: string;
  proposedAt: Date;
  count: number;
}

/** The versions that wait for their activation, latest first, and how many do. @param limit how many are listed */
export async function listWaitingVersions(database: Queryable, organizationId: string, limit: number) {
  const { rows } = await database.query<WaitingRow>({
    name: "list_waiting_versions",
    text: `
      select r.id, r.name, latest.version, r.active_version as "activeVersion", ${PROPOSED_BY_KIND} as "proposedByKind",
          latest.created_by_name as "proposedByName", latest.created_at as "proposedAt",
          (count(*) over ())::int as count
        ${WAITING_VERSIONS}
       order by latest.created_at desc, r.id limit $2`,
    values: [organizationId, limit],
  });
  const waiting = rows.map(({ id, name, version, activeVersion, ...row }) => ({
    href: ruleHref(id),
    name,
    version,
    activeVersion,
    proposedBy: { kind: row.proposedByKind, name: row.proposedByName },
    proposedAt: row.proposedAt.toISOString(),
  }));
  return { waiting, waitingCount: rows[0]?.count ?? 0 };
}
