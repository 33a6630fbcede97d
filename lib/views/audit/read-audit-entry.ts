import type { AuditListedView, AuditOpenedView, AuditSearch } from "@/lib/contract/views/audit-view";
import { type AuditPlace, auditHref } from "@/lib/core/audit/audit-search";
import { SEALED_ENTRIES, type SealedEntryRow, toRow, toSeal } from "@/lib/core/audit/read-sealed-entries";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Before and after the entry, of the same caller. */
const NEAR_EACH = 4;
const NEAR_MS = 60_000;

/** One entry with its seal, checked, and what the same caller did around it. Null: the organization has no such entry. */
export async function readAuditEntry(
  services: Pick<Services, "pool">,
  { organizationId }: Context<MemberActor>,
  { search, place }: { search: AuditSearch; place: AuditPlace },
  entryId: string,
): Promise<AuditOpenedView | null> {
  const { rows } = await services.pool.query<SealedEntryRow & { isOfKey: boolean; isOfAssistant: boolean }>({
    name: "read_audit_entry",
    text: `
      with page as (select $2::uuid as id), opened as (${SEALED_ENTRIES})
      select opened.*, k.id is not null and k.client_id is null as "isOfKey",
          k.client_id is not null as "isOfAssistant"
        from opened left join api_keys k on k.organization_id = $1 and k.id = opened."apiKeyId"`,
    values: [organizationId, entryId],
  });
  const row = rows[0];
  if (!row) return null;
  const entry = toRow(row);
  const near = await readNear(services, organizationId, row);
  return {
    entry,
    seal: toSeal(row),
    callerHref: callerHref(row),
    near: near
      .map(toRow)
      .map((one): AuditListedView => ({ ...one, href: auditHref(search, { ...place, entry: one.id }) })),
    closeHref: auditHref(search, { ...place, entry: undefined }),
  };
}

function callerHref(row: { apiKeyId: string; isOfKey: boolean; isOfAssistant: boolean }): string | null {
  if (row.isOfKey) return `/settings/api-keys/${row.apiKeyId}`;
  return row.isOfAssistant ? "/settings/assistants" : null;
}

async function readNear(
  services: Pick<Services, "pool">,
  organizationId: string,
  { id, apiKeyId, createdAt }: SealedEntryRow,
): Promise<SealedEntryRow[]> {
  const at = new Date(createdAt).getTime();
  const { rows } = await services.pool.query<SealedEntryRow>({
    name: "read_audit_near",
    text: `
      with page as materialized (
        (select id from audit_entries
          where organization_id = $1 and api_key_id = $2 and id between $4 and $3 order by id desc
          limit ${NEAR_EACH + 1})
        union all
        (select id from audit_entries
          where organization_id = $1 and api_key_id = $2 and id > $3 and id <= $5 order by id
          limit ${NEAR_EACH}))
      ${SEALED_ENTRIES}
       order by entry.id`,
    values: [
      organizationId,
      apiKeyId,
      id,
      firstIdAt(new Date(at - NEAR_MS)),
      lastIdAt(new Date(at + NEAR_MS)),
    ],
  });
  return rows;
}
