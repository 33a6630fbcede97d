import type { Page } from "@/lib/contract/page";
import { toPage } from "@/lib/contract/page";
import type { MovementFilter, MovementView } from "@/lib/contract/views/account-page-view";
import { ON_ITS_WAY } from "@/lib/core/ledger/on-its-way";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import {
  ENTRY_MOVEMENT,
  ENTRY_MOVEMENT_JOINS,
  type MovementRow,
  TRANSFER_MOVEMENT,
  TRANSFER_MOVEMENT_JOINS,
  toMovement,
} from "@/lib/views/accounts/movement-row";

export interface ListMovementsInput {
  accountId: string;
  filter: MovementFilter;
  page: number;
}

export const MOVEMENTS_PER_PAGE = 20;
/** More than this on its way at once is not read by a person one by one. */
const MAXIMUM_ON_ITS_WAY = 50;

/**
 * What moved on a managed account, as its books have it: entries, newest first, each with the balance after it. On
 * the first page, what is on its way comes before.
 */
export async function listMovements(
  database: Queryable,
  context: Pick<Context, "organizationId">,
  input: ListMovementsInput,
): Promise<Page<MovementView>> {
  const request = { page: input.page, pageSize: MOVEMENTS_PER_PAGE };
  const values = [context.organizationId, input.accountId, input.filter];
  const [entries, moving] = await Promise.all([
    database.query<MovementRow>({
      name: "list_movements",
      text: LIST_ENTRIES,
      values: [...values, MOVEMENTS_PER_PAGE + 1, (input.page - 1) * MOVEMENTS_PER_PAGE],
    }),
    input.page === 1
      ? database.query<MovementRow>({
          name: "list_moving",
          text: LIST_MOVING,
          values: [...values, MAXIMUM_ON_ITS_WAY],
        })
      : null,
  ]);
  const page = toPage(entries.rows, request, toMovement);
  return { ...page, items: [...(moving?.rows.map(toMovement) ?? []), ...page.items] };
}

/** What Sluice moved in or out of an account outside, newest first; its balance is not in our books. */
export async function listOutsideMovements(
  database: Queryable,
  context: Pick<Context, "organizationId">,
  input: ListMovementsInput,
): Promise<Page<MovementView>> {
  const { rows } = await database.query<MovementRow>({
    name: "list_outside_movements",
    text: LIST_OUTSIDE,
    values: [
      context.organizationId,
      input.accountId,
      input.filter,
      MOVEMENTS_PER_PAGE + 1,
      (input.page - 1) * MOVEMENTS_PER_PAGE,
    ],
  });
  return toPage(rows, { page: input.page, pageSize: MOVEMENTS_PER_PAGE }, toMovement);
}

/**
 * Both sides are read down their index, no further than the page. The balance after an entry is the balance now less
 * all entries since, whatever the filter shows: `since` reads the entries down to the oldest of the page.
 */
const LIST_ENTRIES = `
  with page as (
    select id, is_in from (
      (select id, true as is_in from entries
        where $3 <> 'OUT' and organization_id = $1 and credit_ledger_id = $2 order by id desc limit $4::int + $5::int)
      union all
      (select id, false from entries
        where $3 <> 'IN' and organization_id = $1 and debit_ledger_id = $2 order by id desc limit $4::int + $5::int)) sides
    order by id desc limit $4::int offset $5::int),
  since as (
    select id, net, sum(net) over (order by id desc)::bigint as net_down_to_it from (
      select id, amount_in_cents as net from entries
       where organization_id = $1 and credit_ledger_id = $2 and id >= (select id from page order by id limit 1)
      union all
      select id, -amount_in_cents from entries
       where organization_id = $1 and debit_ledger_id = $2 and id >= (select id from page order by id limit 1)) moved)
  select page.is_in,
      l.credits_in_cents - l.debits_in_cents - (since.net_down_to_it - since.net) as balance_after_in_cents,
      ${ENTRY_MOVEMENT}
    from page
    join since on since.id = page.id
    join entries e on e.organization_id = $1 and e.id = page.id
    join ledgers l on l.organization_id = $1 and l.id = $2 ${ENTRY_MOVEMENT_JOINS}
   order by page.id desc`;

const MOVING_COLUMNS = `
  t.id, t.created_at as at, null as entry_kind, null as card_name, t.destination_account_id = $2 as is_in, t.amount_in_cents,
  null::bigint as balance_after_in_cents, ${TRANSFER_MOVEMENT}`;

/** Transfers that are under way, and what cards have been promised. */
const LIST_MOVING = `
  (select ${MOVING_COLUMNS}
    from transfers t ${TRANSFER_MOVEMENT_JOINS}
   where t.organization_id = $1 and t.id in (${ON_ITS_WAY})
     and ($3 <> 'IN' or t.destination_account_id = $2) and ($3 <> 'OUT' or t.source_account_id = $2)
   order by t.id desc limit $4)
  union all
  (select h.id, h.authorized_at, null, c.name, false, h.hold_in_cents, null, null, null, null, null, null, null,
      pod.name, h.merchant, null
    from card_authorizations h
    join cards c on c.organization_id = $1 and c.id = h.card_id
    join accounts pod on pod.organization_id = $1 and pod.id = h.account_id
   where h.organization_id = $1 and h.account_id = $2 and h.status = 'AUTHORIZED' and $3 <> 'IN'
   order by h.id desc limit $4)
   order by at desc, id desc limit $4`;

const LIST_OUTSIDE = `
  with page as (
    select id from (
      (select id from transfers
        where $3 <> 'OUT' and organization_id = $1 and destination_account_id = $2 and execution_mode = 'LIVE'
          and status in ('PROCESSING', 'COMPLETE', 'RETURNED') order by id desc limit $4::int + $5::int)
      union all
      (select id from transfers
        where $3 <> 'IN' and organization_id = $1 and source_account_id = $2 and execution_mode = 'LIVE'
          and status in ('PROCESSING', 'COMPLETE', 'RETURNED') order by id desc limit $4::int + $5::int)) sides
    order by id desc limit $4::int offset $5::int)
  select ${MOVING_COLUMNS}
    from page join transfers t on t.organization_id = $1 and t.id = page.id ${TRANSFER_MOVEMENT_JOINS}
   order by t.id desc`;
