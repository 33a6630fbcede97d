import type { NewKeyView } from "@/lib/contract/views/keys-view";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/has-passkey";
import type { Services } from "@/lib/platform/services";

/** What the page for a new key needs: the accounts and rules that it may name. */
export async function readNewKey(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<MemberActor>,
): Promise<NewKeyView> {
  const [accounts, rules, memberHasPasskey] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    readKeyRules(services.pool, context.organizationId),
    hasPasskey(services.pool, context.actor.id),
  ]);
  return {
    accounts: accounts.filter((account) => !account.isClosed).map(nameOnly),
    rules,
    apiUrl: `${services.appUrl}/platform/v1`,
    viewer: { canDecide: mayDecide(context.actor), hasPasskey: memberHasPasskey },
  };
}
