import { accountHref } from "@/lib/contract/hrefs";
import { type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { type RegisteredAccount, renderAccountRegistered } from "@/lib/words/messages/account-registered";

const KIND = "ACCOUNT_REGISTERED";

/** Accounts registered at the bank, announced to every owner and co-owner, each by itself. */
export const accountRegisteredHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [account] = await readRegistered(
      context.client,
      notice.organizationId,
      [notice.subjectId],
      context.appUrl,
    );
    if (!account) return null;
    const rendered = renderAccountRegistered(account, settingOf(context, notice));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },
  digest: null,
};

async function readRegistered(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
  appUrl: string,
): Promise<RegisteredAccount[]> {
  const { rows } = await client.query<Omit<RegisteredAccount, "accountUrl"> & { id: string }>({
    name: "read_registered_accounts",
    text: `select a.id, a.name, a.institution_name as "institutionName",
        r.account_number_last4 as "accountNumberLast4", u.name as "registeredBy",
        case when r.cools_off_until > r.registered_at then r.cools_off_until end as "coolsOffUntil"
      from registered_accounts r
      join accounts a on a.organization_id = r.organization_id and a.id = r.account_id
      join users u on u.id = r.registered_by
     where r.organization_id = $1 and r.account_id = any ($2) order by r.registered_at, a.id`,
    values: [organizationId, ids],
  });
  return rows.map(({ id, ...row }) => ({ ...row, accountUrl: `${appUrl}${accountHref(id)}` }));
}
