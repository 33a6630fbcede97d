import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { KeyView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { readKeyFacts } from "@/lib/core/keys/key-facts";
import { keyHref } from "@/lib/core/keys/list-keys";
import { mostThatCouldMove } from "@/lib/core/keys/most-that-could-move";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules, readLiveRules } from "@/lib/core/keys/read-key-rules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/has-passkey";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { readActivity } from "@/lib/views/keys/read-activity";
import { readKeyAlerts } from "@/lib/views/keys/read-key-alerts";
import { readKeyCap } from "@/lib/views/keys/read-key-cap";
import { readKeyProposals } from "@/lib/views/keys/read-key-proposals";
import { readOneRuns } from "@/lib/views/keys/read-one-runs";

/** Everything that the page of one key shows; null when the organization has none with this id. Any member may read it. */
export async function getKey(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  keyId: string,
  time: TimeContext,
): Promise<KeyView | null> {
  const { pool } = services;
  const { organizationId, now } = context;
  const [facts] = await readKeyFacts(pool, organizationId, now, { keyId });
  if (!facts) return null;
  const { replacedById, ...key } = facts;
  const [
    accounts,
    rules,
    live,
    proposals,
    activity,
    neighbours,
    requestsThisMinute,
    memberHasPasskey,
    cap,
    alerts,
  ] = await Promise.all([
    readKeyAccounts(pool, organizationId),
    readKeyRules(pool, organizationId),
    readLiveRules(pool, organizationId),
    readKeyProposals(pool, organizationId, keyId, now),
    readActivity(pool, organizationId, keyId, { now, timeZone: time.timeZone }),
    readNeighbours(pool, organizationId, keyId, replacedById),
    countThisMinute(pool, keyId, services.clock.now()),
    hasPasskey(pool, context.actor.id),
    readKeyCap(pool, context, key),
    readKeyAlerts(pool, organizationId, keyId),
  ]);
  const transfers = key.permissions.find((permission) => permission.type === "MANUAL_TRANSFER") ?? null;
  const runs = key.permissions.find((permission) => permission.type === "TRIGGER_RULES") ?? null;
  const oneRunInCents = await readOneRuns(pool, context, time.timeZone, runs, live);
  return {
    key,
    accounts: accounts.map(nameOnly),
    rules,
    most: transfers || runs ? mostThatCouldMove(transfers, accounts, { runs, live, oneRunInCents }) : null,
    ...proposals,
    activity,
    requestsThisMinute,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    cap,
    alerts,
    ...neighbours,
    viewer: { canDecide: mayDecide(context.actor), hasPasskey: memberHasPasskey },
    time,
  };
}

/** The key that took its place, and the one whose place it took. */
async function readNeighbours(
  database: Queryable,
  organizationId: string,
  keyId: string,
  replacedById: string | null,
): Promise<Pick<KeyView, "replacedBy" | "replaces">> {
  const { rows } = await database.query<{ id: string; prefix: string }>({
    name: "read_key_neighbours",
    text: `select id, prefix from api_keys where organization_id = $1 and client_id is null and (id = $3 or replaced_by = $2) limit 2`,
    values: [organizationId, keyId, replacedById],
  });
  const neighbour = (isWanted: (id: string) => boolean) => {
    const row = rows.find(({ id }) => isWanted(id));
    return row ? { href: keyHref(row.id), prefix: row.prefix } : null;
  };
  return {
    replacedBy: neighbour((id) => id === replacedById),
    replaces: neighbour((id) => id !== replacedById),
  };
}

/** `realNow`: windows of the rate limit are minutes of real time. */
async function countThisMinute(database: Queryable, keyId: string, realNow: Date): Promise<number> {
  const { rows } = await database.query<{ requests: number }>({
    name: "read_rate_window",
    text: "select requests from rate_windows where api_key_id = $1 and minute = date_trunc('minute', $2::timestamptz)",
    values: [keyId, realNow],
  });
  return rows[0]?.requests ?? 0;
}
