import type { CardStatus } from "@/lib/contract/card";
import type { CardType } from "@/lib/contract/card-transaction";
import type { CardPurchaseView, CardsView, CardView } from "@/lib/contract/views/cards-view";
import { accountHref } from "@/lib/core/accounts/account-hrefs";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import { hasPasskey } from "@/lib/core/members/has-passkey";
import type { Queryable } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";

/** An organization with more cards than this needs a filtered page. */
const MAXIMUM_CARDS = 200;
const LAST_PURCHASES = 5;

interface Row {
  id: string;
  name: string;
  card_type: CardType;
  number_last4: string;
  holder_name: string | null;
  account_id: string;
  account_name: string;
  monthly_limit_in_cents: number | null;
  spent_in_cents: number;
  status: CardStatus;
}

/** Every card of the organization with what it has spent this month, for any member. Open ones come first. */
export async function listCards(
  services: Pick<Services, "pool">,
  network: Pick<CardNetworkPort, "isSandbox">,
  context: Context<MemberActor>,
): Promise<CardsView> {
  const { organizationId, actor, now } = context;
  const [{ rows }, viewerHasPasskey, purchases] = await Promise.all([
    services.pool.query<Row>({
      name: "list_cards",
      text: `
        select c.id, c.name, c.card_type, c.number_last4, u.name as holder_name, c.account_id, a.name as account_name,
            c.monthly_limit_in_cents, coalesce(m.spent_in_cents, 0) as spent_in_cents, c.status
          from cards c
          join organizations o on o.id = c.organization_id
          join accounts a on a.organization_id = c.organization_id and a.id = c.account_id
          left join users u on u.id = c.holder_id
          left join card_months m
            on m.organization_id = c.organization_id and m.card_id = c.id
              and m.month = date_trunc('month', $2::timestamptz at time zone o.time_zone)::date
         where c.organization_id = $1
         order by c.status = 'CLOSED', c.id
         limit ${MAXIMUM_CARDS + 1}`,
      values: [organizationId, now],
    }),
    hasPasskey(services.pool, actor.id),
    readPurchases(services.pool, organizationId),
  ]);
  const all = rows.slice(0, MAXIMUM_CARDS).map(toView);
  return {
    purchases,
    cards: all.filter(({ status }) => status !== "CLOSED"),
    closed: all.filter(({ status }) => status === "CLOSED"),
    isTruncated: rows.length > MAXIMUM_CARDS,
    isSandbox: network.isSandbox,
    viewer: { canDecide: mayDecide(actor), hasPasskey: viewerHasPasskey },
  };
}

interface PurchaseRow {
  id: string;
  created_at: Date;
  card_name: string;
  description: string;
  subtype: CardPurchaseView["kind"];
  amount_in_cents: number;
}

async function readPurchases(database: Queryable, organizationId: string): Promise<CardPurchaseView[]> {
  const { rows } = await database.query<PurchaseRow>({
    name: "list_last_purchases",
    text: `
      select t.id, t.created_at, c.name as card_name, t.description, t.subtype, t.amount_in_cents
        from card_transactions t
        join cards c on c.organization_id = t.organization_id and c.id = t.card_id
       where t.organization_id = $1
       order by t.created_at desc, t.id desc
       limit ${LAST_PURCHASES}`,
    values: [organizationId],
  });
  return rows.map((row) => ({
    id: row.id,
    at: row.created_at.toISOString(),
    cardName: row.card_name,
    shopName: row.description,
    kind: row.subtype,
    amountInCents: row.amount_in_cents,
  }));
}

function toView(row: Row): CardView {
  return {
    id: row.id,
    name: row.name,
    cardType: row.card_type,
    numberEnding: row.number_last4,
    holderName: row.holder_name,
    account: { name: row.account_name, href: accountHref(row.account_id) },
    monthlyLimitInCents: row.monthly_limit_in_cents,
    spentInCents: row.spent_in_cents,
    status: row.status,
    purchasesHref: `/transfers/cards?card=${row.id}`,
  };
}
