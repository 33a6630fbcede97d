import type { MovementFilter } from "@/lib/contract/hrefs";
import { type Page, toPage } from "@/lib/contract/page";
import { movementHref } from "@/lib/contract/search/movement-search";
import type { TransferOrigin, TransferStatus } from "@/lib/contract/transfer";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { ON_ITS_WAY } from "@/lib/core/ledger/close-account";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { listWaitingSubjects, type WaitingSubject } from "@/lib/views/approvals/list-waiting-subjects";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

export type MovementState = "SETTLED" | "ON_ITS_WAY" | "SENT_BACK" | "RETURN";

/** What an account's list shows of a transfer, from `transfers t` with its accounts `s` and `d`. */
const TRANSFER_MOVEMENT = `
  t.id as "transferId", t.status, t.origin, t.description, t.error_code as "errorCode",
  t.proposed_by_name as "proposedByName",
  coalesce(s.name, t.counterparty_name) as "fromName", coalesce(d.name, t.counterparty_name) as "toName",
  null::uuid as "cardTransactionId"`;

const TRANSFER_MOVEMENT_JOINS = `
  left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
  left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id`;

/** The same for an entry of a transfer or a card, from `entries e`. */
export const ENTRY_MOVEMENT = `
  e.id, e.booked_at as at, e.kind as "entryKind", e.amount_in_cents as "amountInCents",
  t.id as "transferId", t.status, t.origin, t.description, t.error_code as "errorCode",
  t.proposed_by_name as "proposedByName", c.name as "cardName",
  coalesce(s.name, t.counterparty_name, case when ct.subtype = 'PURCHASE' then pod.name else ct.description end)
    as "fromName",
  coalesce(d.name, t.counterparty_name, case when ct.subtype = 'PURCHASE' then ct.description else pod.name end)
    as "toName",
  ct.id as "cardTransactionId"`;

export const ENTRY_MOVEMENT_JOINS = `
  left join transfers t on t.organization_id = e.organization_id and t.id = e.transfer_id ${TRANSFER_MOVEMENT_JOINS}
  left join card_transactions ct on ct.organization_id = e.organization_id and ct.id = e.card_transaction_id
  left join cards c on c.organization_id = ct.organization_id and c.id = ct.card_id
  left join accounts pod on pod.organization_id = ct.organization_id and pod.id = ct.account_id`;

export interface MovementRow {
  id: string;
  at: Date;
  /** The entry's kind; null while nothing is booked. */
  entryKind: "TRANSFER" | "RETURN" | "CARD" | null;
  isIn: boolean;
  amountInCents: number;
  balanceAfterInCents: number | null;
  transferId: string | null;
  status: TransferStatus | null;
  origin: TransferOrigin | null;
  description: string | null;
  errorCode: string | null;
  proposedByName: string | null;
  fromName: string | null;
  toName: string | null;
  /** Set for card movements. */
  cardName: string | null;
  cardTransactionId: string | null;
}

export function toMovement(row: MovementRow) {
  const from = row.fromName || OUTSIDE_SLUICE;
  const to = row.toName || OUTSIDE_SLUICE;
  const isReturn = row.entryKind === "RETURN";
  return {
    id: row.id,
    at: row.at.toISOString(),
    // A return moves money in the opposite direction.
    fromName: isReturn ? to : from,
    toName: isReturn ? from : to,
    state: stateOf(row),
    /** Positive: money in. */
    changeInCents: row.isIn ? row.amountInCents : -row.amountInCents,
    /** Null: not booked, or not in our books. */
    balanceAfterInCents: row.balanceAfterInCents,
    /** The other party, or the cause, and its label. */
    about: aboutMovement(row),
    /** Its own page; null for a card authorization that has not settled. */
    href: hrefOf(row),
  };
}

export type MovementView = ReturnType<typeof toMovement>;

/** The page of the transfer or card transaction; a card authorization has none yet. */
function hrefOf({ transferId, cardTransactionId }: MovementRow): string | null {
  if (transferId !== null) return movementHref("TRANSFERS", transferId);
  return cardTransactionId === null ? null : movementHref("CARDS", cardTransactionId);
}

function stateOf({ entryKind, status }: MovementRow): MovementState {
  if (entryKind === "RETURN") return "RETURN";
  if (entryKind === null && (status === "PROCESSING" || status === null)) return "ON_ITS_WAY";
  return status === "RETURNED" ? "SENT_BACK" : "SETTLED";
}

/** `claude-bookkeeping, Q4 TAX` */
function aboutMovement(row: MovementRow): string {
  if (row.cardName !== null) return `Card, ${row.cardName}`;
  if (row.entryKind === "RETURN") return ["Returned by the bank", row.errorCode].filter(Boolean).join(", ");
  return [ORIGIN[row.origin ?? ""] ?? row.proposedByName, row.description].filter(Boolean).join(", ");
}

/** Shown by origin if no one requested it. */
const ORIGIN: Record<string, string | undefined> = {
  DIRECT_DEPOSIT: "Direct deposit",
  CHECK_DEPOSIT: "Check deposit",
};

interface ListMovementsInput {
  accountId: string;
  filter: MovementFilter;
  page: number;
  showsAllOnItsWay: boolean;
}

const MOVEMENTS_PER_PAGE = 20;
/** Pending movements at the top of the first page, until all are requested. */
const FIRST_ON_ITS_WAY = 20;
/** No one reads more than this one by one. */
const MAXIMUM_ON_ITS_WAY = 200;

/** A page of an account's movements. */
export interface MovementPage extends Page<MovementView> {
  /** More is on its way than the page starts with. */
  hasMoreOnItsWay: boolean;
}

/**
 * A managed account's entries, newest first, each with the balance after it. The first page starts with pending
 * movements.
 */
export async function listMovements(
  database: Queryable,
  context: Pick<Context, "organizationId">,
  input: ListMovementsInput,
): Promise<MovementPage> {
  const request = { page: input.page, pageSize: MOVEMENTS_PER_PAGE };
  const firstOnItsWay = input.showsAllOnItsWay ? MAXIMUM_ON_ITS_WAY : FIRST_ON_ITS_WAY;
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
          values: [...values, firstOnItsWay + 1],
        })
      : null,
  ]);
  const page = toPage(entries.rows, request, toMovement);
  const onItsWay = moving?.rows ?? [];
  return {
    ...page,
    items: [...onItsWay.slice(0, firstOnItsWay).map(toMovement), ...page.items],
    hasMoreOnItsWay: onItsWay.length > firstOnItsWay,
  };
}

/** What Sluice moved into or out of an outside account, newest first; its balance is not in our books. */
export async function listOutsideMovements(
  database: Queryable,
  context: Pick<Context, "organizationId">,
  input: ListMovementsInput,
): Promise<MovementPage> {
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
  const page = toPage(rows, { page: input.page, pageSize: MOVEMENTS_PER_PAGE }, toMovement);
  return { ...page, hasMoreOnItsWay: false };
}

/**
 * Both sides are read by index, only as far as the page. The balance after an entry is the current balance minus all
 * later entries, whatever the filter; `since` reads entries down to the oldest of the page.
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
  select page.is_in as "isIn",
      l.credits_in_cents - l.debits_in_cents - (since.net_down_to_it - since.net) as "balanceAfterInCents",
      ${ENTRY_MOVEMENT}
    from page
    join since on since.id = page.id
    join entries e on e.organization_id = $1 and e.id = page.id
    join ledgers l on l.organization_id = $1 and l.id = $2 ${ENTRY_MOVEMENT_JOINS}
   order by page.id desc`;

const MOVING_COLUMNS = `
  t.id, t.created_at as at, null as "entryKind", null as "cardName", t.destination_account_id = $2 as "isIn",
  t.amount_in_cents as "amountInCents",
  null::bigint as "balanceAfterInCents", ${TRANSFER_MOVEMENT}`;

/** Pending transfers and card authorizations. */
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

const MAXIMUM_WAITING = 20;

/**
 * Proposals that involve the account, soonest to expire first: transfers into or out of it, and rule runs that move its
 * money, watch it, or might.
 */
export async function listWaitingMovements(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
) {
  const waiting = await listWaitingSubjects(database, context);
  return waiting
    .filter((subject) => subject.accountIds.includes(accountId))
    .slice(0, MAXIMUM_WAITING)
    .map((subject) => ({
      id: subject.id,
      href: proposalHref(subject.id),
      subject: subject.view,
      /** Positive: money in. Null: not computed. 0: its rule names the account but moves none of its money. */
      changeInCents: changeOf(subject, accountId),
      expiresAt: subject.expiresAt.toISOString(),
      destinationAccountIds: [...new Set(subject.moves.map((move) => move.destinationAccountId))],
    }));
}

/** A proposal that would move money into or out of the account. */
export type WaitingMovementView = Awaited<ReturnType<typeof listWaitingMovements>>[number];

function changeOf({ view, moves }: WaitingSubject, accountId: string): number | null {
  if (view.amountInCents === null) return null;
  return moves.reduce((change, move) => {
    const given = move.destinationAccountId === accountId ? move.amountInCents : 0;
    const taken = move.sourceAccountId === accountId ? move.amountInCents : 0;
    return change + given - taken;
  }, 0);
}
