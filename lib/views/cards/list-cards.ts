import type { CardStatus } from "@/lib/contract/card";
import { accountHref } from "@/lib/contract/hrefs";
import { type CardsSearch, cardsHref } from "@/lib/contract/search/list-search";
import type { CardType } from "@/lib/contract/transactions";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";
import type { Reading } from "@/lib/views/reading";
import type { Stored } from "@/lib/views/stored";

/** A card as its list shows it. Amounts in cents. */
export interface CardView {
  id: string;
  name: string;
  cardType: CardType;
  /** Last four digits. */
  numberEnding: string;
  /** Null: no one in particular carries it. */
  holderName: string | null;
  /** The pod it spends from. */
  account: { name: string; href: string };
  /** Null: no limit of its own. */
  monthlyLimitInCents: number | null;
  /**
   * Settled purchases and open holds of this calendar month; exceeds the limit if a shop settled more than it
   * authorized.
   */
  spentInCents: number;
  status: CardStatus;
  /** Everything it moved. */
  purchasesHref: string;
}

/** Something that a card moved. */
export interface CardPurchaseView {
  id: string;
  /** ISO 8601. */
  at: string;
  cardName: string;
  /** The shop. */
  shopName: string;
  kind: "PURCHASE" | "REFUND" | "PAYOUT";
  amountInCents: number;
}

/** Cards per page; complete rows of two and of three. */
const PAGE_SIZE = 24;
const LAST_PURCHASES = 5;

type Row = Omit<CardView, "account" | "purchasesHref"> & { accountId: string; accountName: string };

/**
 * A page of the organization's cards with each one's spending this month, for any member. Open cards come first. Only
 * the page's cards are read.
 */
export async function listCards(
  { services, context }: Reading,
  network: Pick<CardNetworkPort, "isSandbox" | "issuesCards">,
  { page, issued: issuedId }: CardsSearch,
) {
  const { organizationId, actor } = context;
  const { pool } = services;
  const [rows, counts, issued, viewerHasPasskey, purchases] = await Promise.all([
    readRows(pool, context, page),
    readCounts(pool, organizationId),
    issuedId === null ? null : readIssued(pool, context, issuedId),
    hasPasskey(pool, actor.id),
    readPurchases(pool, organizationId),
  ]);
  const shown = rows.map(toView);
  const lastPage = Math.max(1, Math.ceil(counts.count / PAGE_SIZE));
  return {
    /** Latest card movements, newest first. */
    purchases,
    cards: shown.filter(({ status }) => status !== "CLOSED"),
    closed: shown.filter(({ status }) => status === "CLOSED"),
    /** The card issued a moment ago, wherever it is in the list. */
    issued,
    /** Of the first one on this page among all, from 1. */
    firstPosition: (page - 1) * PAGE_SIZE + 1,
    /** All cards, and those among them that can spend. */
    count: counts.count,
    activeCount: counts.active,
    // Past the end of the list, the way back is the last page.
    previousHref: page > 1 ? cardsHref(Math.min(page - 1, lastPage)) : null,
    nextHref: page < lastPage ? cardsHref(page + 1) : null,
    /** No card network is configured: no real money. */
    isSandbox: network.isSandbox,
    /** Whether new cards can be issued. */
    isOffered: network.issuesCards,
    viewer: {
      /** May issue, unfreeze and close cards. */
      canDecide: mayDecide(actor),
      hasPasskey: viewerHasPasskey,
    },
  };
}

/** The reader. Any member may freeze a card. */
export type CardViewerView = CardsView["viewer"];

/** A page of the organization's cards: the open ones, oldest first, then the closed ones. */
export type CardsView = Awaited<ReturnType<typeof listCards>>;

/** Cards `c` of organization `$1` with their month at `$2`. */
const COLUMNS = `
  c.id, c.name, c.card_type as "cardType", c.number_last4 as "numberEnding", u.name as "holderName",
      c.account_id as "accountId", a.name as "accountName", c.monthly_limit_in_cents as "monthlyLimitInCents",
      coalesce(m.spent_in_cents, 0) as "spentInCents", c.status`;
const JOINS = `
  join organizations o on o.id = c.organization_id
  join accounts a on a.organization_id = c.organization_id and a.id = c.account_id
  left join users u on u.id = c.holder_id
  left join card_months m
    on m.organization_id = c.organization_id and m.card_id = c.id
      and m.month = date_trunc('month', $2::timestamptz at time zone o.time_zone)::date`;

async function readRows(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  page: number,
): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: "list_cards",
    text: `
      with c as materialized (
        select * from cards where organization_id = $1
         order by status = 'CLOSED', id limit ${PAGE_SIZE} offset $3)
      select ${COLUMNS} from c ${JOINS} order by c.status = 'CLOSED', c.id`,
    values: [organizationId, now, (page - 1) * PAGE_SIZE],
  });
  return rows;
}

/** Null if it does not exist or can no longer spend. */
async function readIssued(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  cardId: string,
): Promise<CardView | null> {
  const { rows } = await database.query<Row>({
    name: "read_issued_card",
    text: `
      select ${COLUMNS} from cards c ${JOINS}
       where c.organization_id = $1 and c.id = $3 and c.status = 'ACTIVE'`,
    values: [organizationId, now, cardId],
  });
  return rows[0] ? toView(rows[0]) : null;
}

interface Counts {
  count: number;
  active: number;
}

async function readCounts(database: Queryable, organizationId: string): Promise<Counts> {
  const { rows } = await database.query<Counts>({
    name: "count_cards",
    text: `
      select count(*)::int as count, count(*) filter (where status = 'ACTIVE')::int as active
        from cards where organization_id = $1`,
    values: [organizationId],
  });
  const [counts] = rows;
  if (!counts) throw new Error("A count has no row");
  return counts;
}

async function readPurchases(database: Queryable, organizationId: string): Promise<CardPurchaseView[]> {
  const { rows } = await database.query<Stored<CardPurchaseView, "at">>({
    name: "list_last_purchases",
    text: `
      select t.id, t.created_at as at, c.name as "cardName", t.description as "shopName", t.subtype as kind,
          t.amount_in_cents as "amountInCents"
        from card_transactions t
        join cards c on c.organization_id = t.organization_id and c.id = t.card_id
       where t.organization_id = $1
       order by t.created_at desc, t.id desc
       limit ${LAST_PURCHASES}`,
    values: [organizationId],
  });
  return rows.map(({ at, ...purchase }) => ({ ...purchase, at: at.toISOString() }));
}

function toView({ accountId, accountName, ...card }: Row): CardView {
  return {
    ...card,
    account: { name: accountName, href: accountHref(accountId) },
    purchasesHref: `/transfers/cards?card=${card.id}`,
  };
}
