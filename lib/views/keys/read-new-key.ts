import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Reading } from "@/lib/views/reading";

/** The accounts and rules that a new key can name. */
export async function readNewKey(
  { services, context }: Reading<"pool" | "appUrl">,
  { offersSandbox = false }: { offersSandbox?: boolean } = {},
) {
  const [accounts, rules, memberHasPasskey] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    readKeyRules(services.pool, context.organizationId),
    hasPasskey(services.pool, context.actor.id),
  ]);
  return {
    accounts: accounts.filter((account) => !account.isClosed).map(nameOnly),
    /** Rules that still exist. */
    rules,
    /** Whether a key may drive the sandbox: nothing is real here. */
    offersSandbox,
    /** Address of the API, without a trailing slash. */
    apiUrl: `${services.appUrl}/platform/v1`,
    viewer: { canDecide: mayDecide(context.actor), hasPasskey: memberHasPasskey },
  };
}

/** Data for the page that creates a key. */
export type NewKeyView = Awaited<ReturnType<typeof readNewKey>>;

/** When a key was last used, or null if never; undefined if the organization has no such key. */
export async function readLastUse(
  { services, context }: Reading,
  keyId: string,
): Promise<Date | null | undefined> {
  const { rows } = await services.pool.query<{ lastUsedAt: Date | null }>({
    name: "read_last_use",
    text: `select last_used_at as "lastUsedAt" from api_keys where organization_id = $1 and id = $2 and client_id is null`,
    values: [context.organizationId, keyId],
  });
  return rows[0]?.lastUsedAt;
}
