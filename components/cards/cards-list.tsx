import { Check, Plus, Snowflake } from "lucide-react";
import { CardSwitch, CloseCard } from "@/components/cards/card-acts";
import { CARD_TYPE_WORDS, cardsTitle, leftInCents, limitWords } from "@/components/cards/card-words";

import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { CardActions, CardPurchaseView, CardsView, CardView } from "@/lib/contract/views/cards-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface CardsListProps {
  view: CardsView;
  /** Whether members can make sandbox purchases. */
  hasSandboxPage: boolean;
  actions: CardActions;
  time: TimeContext;
}

/** The cards of one page as small basins, each with its switch; closed ones are listed below. */
export function CardsList({ view, hasSandboxPage, actions, time }: CardsListProps) {
  const { closed, issued, viewer } = view;
  return (
    <div className="cards">
      <PageHead
        title={cardsTitle(view.activeCount)}
        lede="The water level shows what is left this month. Purchases that would take the pod below its floor are declined."
        actions={
          viewer.canDecide ? (
            <div className="page-a">
              <Link className={buttonClass({ kind: "outlined" })} href="/cards/new">
                <Plus className="ic" />
                Issue card
              </Link>
            </div>
          ) : null
        }
      />
      {issued ? (
        <div className="cards-n" role="status">
          <Note tone="teal">
            {issued.name}, ••{issued.numberEnding}, can spend from {issued.account.name} now.
          </Note>
        </div>
      ) : null}
      <div className="cols">
        <div>
          <OpenCards view={view} actions={actions} />
          {closed.length > 0 && view.firstPosition > 1 ? <ClosedCards cards={closed} /> : null}
          <Pager view={view} />
          {view.purchases.length > 0 ? <LastTransactions purchases={view.purchases} time={time} /> : null}
          {closed.length > 0 && view.firstPosition === 1 ? <ClosedCards cards={closed} /> : null}
        </div>
        <aside className="side">
          <div className="side-in">
            <section>
              <h2 className="h3">Freezing</h2>
              <p className="ink2">
                Declines new purchases immediately. Purchases already authorized still settle. Every member
                can freeze a card; only an owner or co-owner can thaw it.
              </p>
            </section>
            {view.isSandbox ? (
              <section>
                <h2 className="h3">Sandbox cards: no real money</h2>
                <p className="ink2">
                  No card network is configured.
                  {hasSandboxPage ? (
                    <>
                      {" "}
                      Make purchases on{" "}
                      <Link className="link" href="/sandbox">
                        the sandbox page
                      </Link>
                      .
                    </>
                  ) : null}
                </p>
              </section>
            ) : null}
          </div>
        </aside>
      </div>
    </div>
  );
}

function OpenCards({ view, actions }: { view: CardsView; actions: CardActions }) {
  const { cards, closed, firstPosition, viewer } = view;
  if (cards.length > 0) {
    return (
      <ul className="cardg">
        {cards.map((card) => (
          <CardItem key={card.id} card={card} view={view} actions={actions} />
        ))}
      </ul>
    );
  }
  if (firstPosition > 1) {
    return closed.length > 0 ? null : <Empty title="No cards on this page">The list has fewer pages.</Empty>;
  }
  return (
    <Empty title="No cards yet">
      {viewer.canDecide
        ? "Issue one for a person or for recurring purchases."
        : "An owner or co-owner can issue one."}
    </Empty>
  );
}

function Pager({
  view: { cards, closed, firstPosition, count, previousHref, nextHref },
}: {
  view: CardsView;
}) {
  if (previousHref === null && nextHref === null) return null;
  const shown = cards.length + closed.length;
  return (
    <div className="pager">
      <span>{shown > 0 ? `${firstPosition} to ${firstPosition + shown - 1} of ${count} cards` : null}</span>
      <span className="pager-a">
        <PagerLink href={previousHref}>Previous</PagerLink>
        <PagerLink href={nextHref}>Next</PagerLink>
      </span>
    </div>
  );
}

/** In pixels: the water of a card with its full limit left. */
const FULL = 64;

/** One card as a small basin. */
export function CardItem({
  card,
  view,
  actions,
}: {
  card: CardView;
  view: Pick<CardsView, "viewer">;
  actions: CardActions;
}) {
  const { viewer } = view;
  const isFrozen = card.status === "FROZEN";
  const left = leftInCents(card);
  return (
    <li className="flex flex-col">
      <div className={isFrozen ? "pc off" : "pc"}>
        {left !== null && card.monthlyLimitInCents ? (
          <i
            aria-hidden="true"
            style={{ height: Math.round((FULL * left) / card.monthlyLimitInCents) }}
            hidden={left === 0}
          />
        ) : null}
        <div className="pc-h">
          <h2 className="h3">{card.name}</h2>
          {isFrozen ? (
            <Status tone="mute" icon={<Snowflake className="ic" />}>
              Frozen
            </Status>
          ) : (
            <span className="meta">{card.holderName ?? CARD_TYPE_WORDS[card.cardType]}</span>
          )}
        </div>
        <div className="pc-b">
          <p>
            <span className="lbl">{leftLabel(left, isFrozen)}</span>
            <br />
            <Amount cents={left ?? card.spentInCents} size="xl" />
          </p>
          <span className="mono">
            <span className="vh">Number ending in </span>••{card.numberEnding}
          </span>
        </div>
      </div>
      {/* Side by side, the actions of two cards are level, however long the lines above them are. */}
      <div className="pc-f grow items-stretch [&>.pc-s]:self-start">
        <div className="flex flex-col items-start justify-between">
          <p className="meta">
            From{" "}
            <Link className="link" href={card.account.href}>
              {card.account.name}
            </Link>
            . {limitWords(card)}{" "}
            <Link className="link" href={card.purchasesHref}>
              Purchases<span className="vh"> of {card.name}</span>
            </Link>
          </p>
          {viewer.canDecide ? <CloseCard card={card} actions={actions} /> : null}
        </div>
        <CardSwitch card={card} viewer={viewer} actions={actions} />
      </div>
    </li>
  );
}

function leftLabel(left: number | null, isFrozen: boolean): string {
  if (left === null) return "Spent this month";
  return isFrozen ? "Left when closed" : "Left this month";
}

/** The last transactions of all cards; what comes in flows to the card and has a plus sign. */
function LastTransactions({
  purchases,
  time,
}: {
  purchases: readonly CardPurchaseView[];
  time: TimeContext;
}) {
  return (
    <Section
      id="purchases"
      title="Recent card transactions"
      fact={
        <Link className="link" href="/transfers/cards">
          All card transactions
        </Link>
      }
    >
      <table className="ledger tight">
        <caption className="vh">Recent card transactions, newest first</caption>
        <thead className="vh">
          <tr>
            <th scope="col">When</th>
            <th scope="col">Transaction</th>
            <th scope="col">State</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {purchases.map((purchase) => (
            <TransactionRow key={purchase.id} purchase={purchase} time={time} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function TransactionRow({ purchase, time }: { purchase: CardPurchaseView; time: TimeContext }) {
  const { at, cardName, shopName, kind, amountInCents } = purchase;
  const isIn = kind !== "PURCHASE";
  const ends = isIn ? { from: shopName, to: cardName } : { from: cardName, to: shopName };
  return (
    <tr>
      <td className="dim nowrap hide-s">
        <Moment at={at} time={time} />
      </td>
      <td>
        <Flow {...ends} state="through" />
        <span className="meta blk only-s">
          <Moment at={at} time={time} />
          {isIn ? `, ${TRANSACTION_WORDS[kind].toLowerCase()}` : null}
        </span>
      </td>
      <td className="hide-s">
        <Status tone="green" icon={<Check className="ic" />}>
          {TRANSACTION_WORDS[kind]}
        </Status>
      </td>
      <td className="num">
        <span className={isIn ? "amt-in" : undefined}>
          <Amount cents={amountInCents} plus={isIn ? "whenPositive" : "never"} />
        </span>
      </td>
    </tr>
  );
}

const TRANSACTION_WORDS: Record<CardPurchaseView["kind"], string> = {
  PURCHASE: "Settled",
  REFUND: "Refunded",
  PAYOUT: "Payout received",
};

function ClosedCards({ cards }: { cards: readonly CardView[] }) {
  return (
    <Section id="closed" title="Closed" fact="History is kept">
      <table className="ledger tight">
        <caption className="vh">Closed cards</caption>
        <thead className="vh">
          <tr>
            <th scope="col">Card</th>
            <th scope="col">Pod</th>
            <th scope="col">Number</th>
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <tr key={card.id}>
              <th scope="row">{card.name}</th>
              <td className="dim">From {card.account.name}</td>
              <td className="num mono">••{card.numberEnding}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
