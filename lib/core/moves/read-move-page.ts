import { canBeSource } from "@/lib/contract/account";
import type { MoveAccountView, MoveView } from "@/lib/contract/views/move-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { accountKind } from "@/lib/core/approvals/describe-balances";
import type { Context, MemberActor } from "@/lib/core/context";
import { readClosedGates } from "@/lib/core/gates/read-closed-gates";
import { mayDecide } from "@/lib/core/keys/permits";
import { hasPasskey } from "@/lib/core/members/has-passkey";
import { listDeciders } from "@/lib/core/members/list-deciders";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/platform/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A list to choose from; an organization with more accounts comes from the page of one of them. */
const MAXIMUM_ACCOUNTS = 500;

/** What the address asks to fill in; any of it may be wrong, and is then left out. */
export type MovePrefill = MoveView["prefill"];

/** The page on which a member moves money: the open accounts with what each can give. Any member may read it. */
export async function readMovePage(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  prefill: MovePrefill,
  time: TimeContext,
): Promise<MoveView> {
  const { pool } = services;
  const [accounts, memberHasPasskey, deciders, closedGates] = await Promise.all([
    listMoveAccounts(pool, context.organizationId, prefill),
    hasPasskey(pool, context.actor.id),
    listDeciders(pool, context.organizationId),
    readClosedGates(pool, context.organizationId),
  ]);
  const isThere = (id: string | null) => accounts.some((account) => account.id === id);
  const isSource = accounts.some(({ id, canGive }) => canGive && id === prefill.sourceAccountId);
  return {
    draftId: newId(context.now),
    accounts,
    prefill: {
      sourceAccountId: isSource ? prefill.sourceAccountId : null,
      destinationAccountId: isThere(prefill.destinationAccountId) ? prefill.destinationAccountId : null,
      amountInCents: prefill.amountInCents,
    },
    areGatesClosed: closedGates !== null,
    viewer: {
      canMove: mayDecide(context.actor),
      role: context.actor.role,
      hasPasskey: memberHasPasskey,
      deciders,
    },
    time,
  };
}

/** Those that the address names are always among them. */
async function listMoveAccounts(
  pool: Queryable,
  organizationId: string,
  { sourceAccountId, destinationAccountId }: MovePrefill,
): Promise<MoveAccountView[]> {
  const { rows } = await pool.query<{ id: string; refreshed_at: Date | null }>({
    name: "list_move_accounts",
    text: `
      select a.id, p.refreshed_at
        from accounts a
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
       where a.organization_id = $1 and a.deleted_at is null
       order by a.id = $2 or a.id = $3 desc, a.type = 'EXTERNAL_ACCOUNT', a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, sourceAccountId, destinationAccountId],
  });
  const facts = await readAccountFacts(
    pool,
    { organizationId },
    rows.map(({ id }) => id),
  );
  const accounts = rows.flatMap(({ id, refreshed_at }) => {
    const account = facts[id];
    if (!account) return [];
    return [
      {
        id,
        name: account.name,
        kind: accountKind(account),
        isOutside: account.type === "EXTERNAL_ACCOUNT",
        canGive: canBeSource(account.type, account.externalAccountType),
        availableInCents: account.availableInCents,
        balanceAt: refreshed_at?.toISOString() ?? null,
      },
    ];
  });
  return accounts.sort((a, b) => Number(a.isOutside) - Number(b.isOutside) || a.name.localeCompare(b.name));
}
