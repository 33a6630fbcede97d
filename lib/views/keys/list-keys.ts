import { keyHref, keysHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import { readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";
import type { TimedReading } from "@/lib/views/reading";

/** Rows shown until all are requested. */
const FIRST_ROWS = 15;

/** The keys of the organization, as the list shows them to any member. */
export async function listKeys(
  { services, context, time }: TimedReading,
  { showsRevoked, showsAll }: { showsRevoked: boolean; showsAll: boolean },
) {
  const [facts, accounts, rules, lookAlikes, waiting] = await Promise.all([
    readKeyFacts(services.pool, context.organizationId, context.now, { countsRevoked: showsRevoked }),
    readKeyAccounts(services.pool, context.organizationId),
    readKeyRules(services.pool, context.organizationId),
    readLookAlikeCallers(services.pool, context.organizationId),
    listWaitingChangesOf({ services, context }, ["NEW_KEY"], null),
  ]);
  const shown = facts.filter(({ state }) => showsRevoked || state.kind !== "REVOKED");
  return {
    keys: shown.map(({ replacedById: _, ...key }) => ({
      ...key,
      href: keyHref(key.id),
      lookAlike: lookAlikes.get(key.id) ?? null,
    })),
    /** New keys that wait for signatures: none of them works yet. */
    waiting,
    drawn: showsAll ? shown.length : Math.min(FIRST_ROWS, shown.length),
    wholeHref: showsRevoked ? `${keysHref()}?revoked=show&all=show` : `${keysHref()}?all=show`,
    revokedCount: facts.filter(({ state }) => state.kind === "REVOKED").length,
    showsRevoked,
    toggleRevokedHref: showsRevoked ? keysHref() : `${keysHref()}?revoked=show`,
    accounts: accounts.map(nameOnly),
    rules,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

export type KeysView = Awaited<ReturnType<typeof listKeys>>;
export type KeyRowView = KeysView["keys"][number];
