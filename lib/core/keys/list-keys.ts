import type { KeysView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { readKeyFacts } from "@/lib/core/keys/key-facts";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

const LIST_HREF = "/settings/api-keys";
/** Rows that are drawn until all are asked for. */
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
    readKeyFacts(services.pool, context.organizationId, context.now, { talliesRevoked: showsRevoked }),
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
