import { z } from "zod";
import type { KeyFactsView, KeyStateView } from "@/lib/contract/keys/key-facts";
import { permissionsSchema } from "@/lib/contract/permissions";
import type { Queryable } from "@/lib/db/transaction";

/** More keys than anyone can tell apart. */
const MAXIMUM_KEYS = 500;

/** Past proposals of a key or assistant that are counted; the latest of them are drawn. */
const COUNTED = 1_000;
const DRAWN = 24;

/** The columns of `pastOutcomes`. */
export const pastOutcomesShape = {
  approvedCount: z.number(),
  decidedCount: z.number(),
  recent: z.array(z.enum(["APPROVED", "DENIED", "EXPIRED"])),
};

/**
 * SQL: what became of the proposals of `api_keys k`, of organization $1; `recent` is oldest first.
 * @param condition which keys are counted
 */
export function pastOutcomes(condition = "true"): string {
  return `
          select (count(*) filter (where past.state = 'APPROVED'))::int as "approvedCount",
              count(*)::int as "decidedCount",
              coalesce(
                json_agg(case past.state when 'REVOKED' then 'DENIED' else past.state end order by past.id)
                  filter (where past.position <= ${DRAWN}),
                '[]') as recent
            from (
              select p.id, p.state, row_number() over (order by p.id desc) as position
                from proposals p
               where p.organization_id = $1 and p.api_key_id = k.id
                 and p.state not in ('WAITING', 'RULE_CHANGED', 'WITHDRAWN') and (${condition})
               order by p.id desc limit ${COUNTED}) past`;
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  permissions: permissionsSchema,
  dailyCapInCents: z.number().nullable(),
  createdByName: z.string(),
  createdAt: z.date(),
  lastUsedAt: z.date().nullable(),
  endsAt: z.date().nullable(),
  replacedById: z.string().nullable(),
  revokedAt: z.date().nullable(),
  revokedBecause: z.enum(["MEMBER", "REPLACED", "OPERATOR"]).nullable(),
  revokedByName: z.string().nullable(),
  ...pastOutcomesShape,
});

type Row = z.infer<typeof rowSchema>;

interface KeyFacts extends KeyFactsView {
  replacedById: string | null;
}

/**
 * Facts about one key or all keys: active ones first, within each group the most recently used or created first.
 * @param now business time
 * @param countsRevoked whether to count the proposal outcomes of revoked keys, too
 */
export async function readKeyFacts(
  database: Queryable,
  organizationId: string,
  now: Date,
  { keyId = null, countsRevoked = true }: { keyId?: string | null; countsRevoked?: boolean } = {},
): Promise<KeyFacts[]> {
  const { rows } = await database.query({
    name: "read_key_facts",
    text: `
      select k.id, k.name, k.prefix, k.permissions, k.daily_cap_in_cents as "dailyCapInCents",
          maker.name as "createdByName", k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.ends_at as "endsAt",
          k.replaced_by as "replacedById", k.revoked_at as "revokedAt", k.revoked_because as "revokedBecause",
          revoker.name as "revokedByName", outcomes.*
        from api_keys k
        join users maker on maker.id = k.created_by
        left join users revoker on revoker.id = k.revoked_by
        cross join lateral (${pastOutcomes("$3 or k.revoked_at is null")}) outcomes
       where k.organization_id = $1 and k.client_id is null and ($2::uuid is null or k.id = $2)
       order by k.revoked_at is not null, coalesce(k.last_used_at, k.created_at) desc, k.id desc
       limit ${MAXIMUM_KEYS}`,
    values: [organizationId, keyId, countsRevoked],
  });
  return rows.map((row) => toFacts(rowSchema.parse(row), now));
}

function toFacts({ endsAt, revokedAt, revokedBecause, revokedByName, ...row }: Row, now: Date): KeyFacts {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    state: stateOf({ endsAt, revokedAt, revokedBecause, revokedByName }, now),
  };
}

/** A replaced key is over when its time ends, even before the worker has recorded that. */
function stateOf(
  {
    endsAt,
    revokedAt,
    revokedBecause,
    revokedByName,
  }: Pick<Row, "endsAt" | "revokedAt" | "revokedBecause" | "revokedByName">,
  now: Date,
): KeyStateView {
  if (revokedAt) {
    const because = revokedBecause ?? "OPERATOR";
    return { kind: "REVOKED", at: revokedAt.toISOString(), because, byName: revokedByName };
  }
  if (!endsAt) return { kind: "ACTIVE" };
  if (endsAt <= now) return { kind: "REVOKED", at: endsAt.toISOString(), because: "REPLACED", byName: null };
  return { kind: "ENDING", endsAt: endsAt.toISOString() };
}

const LIST_HREF = "/settings/api-keys";

export function keysHref(): string {
  return LIST_HREF;
}

export function keyHref(id: string): string {
  return `${LIST_HREF}/${id}`;
}
