import type { z } from "zod";
import type { AccountBalance, managedMoneySchema } from "@/lib/contract/account";
import { toLookAlike } from "@/lib/contract/input/look-alike";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { ResourceList } from "@/lib/contract/permissions";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import {
  type AccountDetailRow,
  DETAIL_COLUMNS,
  DETAIL_JOINS,
  toBalance,
} from "@/lib/core/ledger/read-accounts";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { readLookAlikeParties } from "@/lib/core/shared/look-alikes";
import { requirePermission } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type ManagedMoney = z.infer<typeof managedMoneySchema>;

/**
 * The balances of all accounts that the caller may read, oldest first, and the sums of the managed ones on all pages. A
 * closed account is listed while it holds money, so that the list adds up to the sum.
 * @throws AppError `ACCESS_DENIED`
 */
export async function listBalances(
  { pool }: Pick<Services, "pool">,
  context: Context<CallerActor>,
  request: PageRequest,
): Promise<Page<AccountBalance> & { managed: ManagedMoney }> {
  const { accounts } = requirePermission(context.actor, "READ_ACCOUNTS");
  const [rows, managed, alike] = await Promise.all([
    readPage(pool, context, accounts, request),
    readManaged(pool, context, accounts),
    readLookAlikeParties(pool, context.organizationId),
  ]);
  const facts = await readAccountFacts(
    pool,
    context,
    rows.map(({ id }) => id),
  );
  const page = toPage(rows, request, (row) => ({
    ...toAccountBalance(row, facts[row.id], context.now),
    lookAlike: toLookAlike(alike.get(row.id)),
  }));
  return { ...page, managed };
}

async function readPage(
  database: Queryable,
  { organizationId }: Context,
  readable: ResourceList,
  { page, pageSize }: PageRequest,
): Promise<AccountDetailRow[]> {
  const { rows } = await database.query<AccountDetailRow>({
    name: "list_balances",
    text: `
      select ${DETAIL_COLUMNS}
        from accounts a ${DETAIL_JOINS}
       where a.organization_id = $1 and not a.is_payee and ($2::uuid[] is null or a.id = any ($2))
         and (a.deleted_at is null or l.credits_in_cents <> l.debits_in_cents)
       order by a.id limit $3 offset $4`,
    values: [organizationId, readable === "ALL" ? null : readable, pageSize + 1, (page - 1) * pageSize],
  });
  return rows;
}

/** From the facts that rules calculate with, so that both agree on what is available and on its way. */
async function readManaged(
  database: Queryable,
  { organizationId }: Context,
  readable: ResourceList,
): Promise<ManagedMoney> {
  const { rows } = await database.query<Omit<ManagedMoney, "leavingInCents">>({
    name: "sum_managed_money",
    text: `
      select coalesce(sum(f."balanceInCents"), 0)::bigint as "balanceInCents",
          coalesce(sum(f."availableInCents"), 0)::bigint as "availableBalanceInCents",
          coalesce(sum(f."onItsWayInCents"), 0)::bigint as "arrivingInCents"
        from read_account_facts($1, array(
          select a.id from accounts a
           where a.organization_id = $1 and a.type <> 'EXTERNAL_ACCOUNT' and ($2::uuid[] is null or a.id = any ($2)))) f`,
    values: [organizationId, readable === "ALL" ? null : readable],
  });
  const sums = rows[0] ?? { balanceInCents: 0, availableBalanceInCents: 0, arrivingInCents: 0 };
  return { ...sums, leavingInCents: sums.balanceInCents - sums.availableBalanceInCents };
}

function toAccountBalance(
  row: AccountDetailRow,
  facts: AccountFacts | undefined,
  now: Date,
): Omit<AccountBalance, "lookAlike"> {
  const onItsWay = facts?.onItsWayInCents ?? 0;
  const isLiability = row.externalAccountType === "LIABILITY";
  return {
    accountId: row.id,
    name: row.name,
    type: row.type,
    externalAccountType: row.externalAccountType,
    isClosed: row.deletedAt !== null,
    balance: toBalance(row, now),
    arrivingInCents: isLiability ? null : onItsWay,
    leavingInCents: row.ledgerBalanceInCents === null ? null : (row.heldInCents ?? 0),
    paymentsOnTheirWayInCents: isLiability ? onItsWay : null,
  };
}
