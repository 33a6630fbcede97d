import { z } from "zod";
import { permissionsSchema } from "@/lib/contract/permissions";
import type { KeyFactsView, KeyStateView, KeysView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Past proposals of a key that are counted; the latest of them are drawn. */
const COUNTED = 1_000;
const DRAWN = 24;
/** More keys than anyone can tell apart. */
const MAXIMUM_KEYS = 500;

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  permissions: permissionsSchema,
  daily_cap_in_cents: z.number().nullable(),
  made_by_name: z.string(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  ends_at: z.date().nullable(),
  replaced_by: z.string().nullable(),
  revoked_at: z.date().nullable(),
  revoked_because: z.enum(["MEMBER", "REPLACED", "OPERATOR"]).nullable(),
  revoked_by_name: z.string().nullable(),
  approved: z.number(),
  decided: z.number(),
  recent: z.array(z.enum(["APPROVED", "DENIED", "EXPIRED"])).nullable(),
});

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
      select k.id, k.name, k.prefix, k.permissions, k.daily_cap_in_cents, maker.name as made_by_name, k.created_at, k.last_used_at,
          k.ends_at, k.replaced_by, k.revoked_at, k.revoked_because, revoker.name as revoked_by_name,
          outcomes.approved, outcomes.decided, outcomes.recent
        from api_keys k
        join users maker on maker.id = k.created_by
        left join users revoker on revoker.id = k.revoked_by
        cross join lateral (
          select (count(*) filter (where past.state = 'APPROVED'))::int as approved, count(*)::int as decided,
              json_agg(case past.state when 'REVOKED' then 'DENIED' else past.state end order by past.id)
                filter (where past.position <= ${DRAWN}) as recent
            from (
              select p.id, p.state, row_number() over (order by p.id desc) as position
                from proposals p
               where p.organization_id = $1 and p.api_key_id = k.id and p.state <> 'WAITING'
                 and ($3 or k.revoked_at is null)
               order by p.id desc limit ${COUNTED}) past) outcomes
       where k.organization_id = $1 and k.client_id is null and ($2::uuid is null or k.id = $2)
       order by k.revoked_at is not null, coalesce(k.last_used_at, k.created_at) desc, k.id desc
       limit ${MAXIMUM_KEYS}`,
    values: [organizationId, keyId, countsRevoked],
  });
  return rows.map((row) => toFacts(rowSchema.parse(row), now));
}

function toFacts(row: z.infer<typeof rowSchema>, now: Date): KeyFacts {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    permissions: row.permissions,
    dailyCapInCents: row.daily_cap_in_cents,
    madeByName: row.made_by_name,
    madeAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    state: stateOf(row, now),
    approvedCount: row.approved,
    decidedCount: row.decided,
    recent: row.recent ?? [],
    replacedById: row.replaced_by,
  };
}

/** A replaced key is over when its time ends, even before the worker has recorded that. */
function stateOf(
  row: Pick<z.infer<typeof rowSchema>, "revoked_at" | "revoked_because" | "revoked_by_name" | "ends_at">,
  now: Date,
): KeyStateView {
  if (row.revoked_at) {
    return {
      kind: "REVOKED",
      at: row.revoked_at.toISOString(),
      because: row.revoked_because ?? "OPERATOR",
      byName: row.revoked_by_name,
    };
  }
  if (!row.ends_at) return { kind: "ACTIVE" };
  const endsAt = row.ends_at.toISOString();
  if (row.ends_at <= now) return { kind: "REVOKED", at: endsAt, because: "REPLACED", byName: null };
  return { kind: "ENDING", endsAt };
}

const LIST_HREF = "/settings/api-keys";
/** Rows shown until all are requested. */
const FIRST_ROWS = 15;

export function keysHref(): string {
  return LIST_HREF;
}

export function keyHref(id: string): string {
  return `${LIST_HREF}/${id}`;
}

/** The keys of the organization, as the list shows them to any member. */
export async function listKeys(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { showsRevoked, showsAll, time }: { showsRevoked: boolean; showsAll: boolean; time: TimeContext },
): Promise<KeysView> {
  const [facts, accounts, rules] = await Promise.all([
    readKeyFacts(services.pool, context.organizationId, context.now, { countsRevoked: showsRevoked }),
    readKeyAccounts(services.pool, context.organizationId),
    readKeyRules(services.pool, context.organizationId),
  ]);
  const shown = facts.filter(({ state }) => showsRevoked || state.kind !== "REVOKED");
  return {
    keys: shown.map(({ replacedById: _, ...key }) => ({ ...key, href: keyHref(key.id) })),
    drawn: showsAll ? shown.length : Math.min(FIRST_ROWS, shown.length),
    wholeHref: showsRevoked ? `${LIST_HREF}?revoked=show&all=show` : `${LIST_HREF}?all=show`,
    revokedCount: facts.filter(({ state }) => state.kind === "REVOKED").length,
    showsRevoked,
    toggleRevokedHref: showsRevoked ? LIST_HREF : `${LIST_HREF}?revoked=show`,
    accounts: accounts.map(nameOnly),
    rules,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}
