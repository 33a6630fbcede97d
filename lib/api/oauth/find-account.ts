import type { FindAccount } from "oidc-provider";
import { parseAccountId } from "@/lib/core/keys/account-id";
import { isMember } from "@/lib/core/keys/is-member";
import type { Services } from "@/lib/platform/services";

/** Whom a token speaks for: nobody any more once that member has left the organization. */
export function createFindAccount({ pool }: Pick<Services, "pool">): FindAccount {
  return async (_ctx, id) => {
    const account = parseAccountId(id);
    if (!account || !(await isMember(pool, account))) return undefined;
    return { accountId: id, claims: () => ({ sub: id }) };
  };
}
