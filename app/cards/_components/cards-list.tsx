"use client";

import { Check, Plus, Snowflake } from "lucide-react";
import { CardSwitch, CloseCard } from "@/app/cards/_components/card-acts";
import { CARD_TYPE_WORDS, cardsTitle, leftInCents, limitWords } from "@/app/cards/_components/card-words";
import { COLUMNS } from "@/components/layout/columns";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK, MONO } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { CardPurchaseView, CardsView, CardView } from "@/lib/views/cards/list-cards";

interface CardsListProps {
  view: CardsView;
  /** Whether members can make sandbox purchases. */
  hasSandboxPage: boolean;
  time: TimeContext;
}

/** The cards of one page as small basins, each with its switch; closed ones are listed below. */
export function CardsList({ view, hasSandboxPage, time }: CardsListProps) {
  const { closed, issued, viewer } = view;
  return (
    <div>
      <PageHead
        title={cardsTitle(view.activeCount)}
        lede={`${view.activeCount > 0 ? "The water level shows what is left this month. " : ""}Purchases that would take the pod below its floor are declined.`}
        actions={
          viewer.canDecide && view.isOffered ? (
            <PageActions>
              <Link className={buttonClass({ kind: "outlined" })} href="/cards/new">
                <Plus />
                Issue card
              </Link>
            </PageActions>
          ) : null
        }
      />
      {issued ? (
        <div className="mb-8" role="status">
          <Note tone="teal">
            {issued.name}, ••{issued.numberEnding}, can spend from {issued.account.name} now.
          </Note>
        </div>
      ) : null}
      <div className={COLUMNS}>
        <div>
          <OpenCards view={view} />
          {closed.length > 0 && view.firstPosition > 1 ? <ClosedCards cards={closed} /> : null}
          <Pager view={view} />
          {view.purchases.length > 0 ? <LastTransactions purchases={view.purchases} time={time} /> : null}
          {closed.length > 0 && view.firstPosition === 1 ? <ClosedCards cards={closed} /> : null}
        </div>
        <SideColumn>
          <section>
            <h2 className="text-base font-semibold">Freezing</h2>
            <p className="mt-2 text-ink-2">
              Declines new purchases immediately. Purchases already authorized still settle. Every member can
              freeze a card; only an owner or co-owner can thaw it.
            </p>
          </section>
          {view.isSandbox ? (
            <section>
              <h2 className="text-base font-semibold">Sandbox cards: no real money</h2>
              <p className="mt-2 text-ink-2">
                No card network is configured.
                {hasSandboxPage ? (
                  <>
                    {" "}
                    Make purchases on{" "}
                    <Link className={LINK} href="/sandbox">
                      the sandbox page
                    </Link>
                    .
                  </>
                ) : null}
              </p>
            </section>
          ) : null}
        </SideColumn>
      </div>
    </div>
  );
}

function OpenCards({ view }: { view: CardsView }) {
  const { cards, closed, firstPosition, viewer } = view;
  if (cards.length > 0) {
    return (
      <ul className="grid grid-cols-2 gap-10 max-sm:grid-cols-1 max-sm:gap-8">
        {cards.map((card) => (
          <CardItem key={card.id} card={card} view={view} />
        ))}
      </ul>
    );
  }
  if (firstPosition > 1) {
    return closed.length > 0 ? null : <Empty title="No cards on this page">The list has fewer pages.</Empty>;
  }
  if (!view.isOffered) {
    return <Empty title="No cards are offered here">No card network is configured beside the bank.</Empty>;
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
    <PagerRow>
      <span>{shown > 0 ? `${firstPosition} to ${firstPosition + shown - 1} of ${count} cards` : null}</span>
      <span className="flex gap-2">
        <PagerLink href={previousHref}>Previous</PagerLink>
        <PagerLink href={nextHref}>Next</PagerLink>
      </span>
    </PagerRow>
  );
}

/** In pixels: the water of a card with its full limit left. */
const FULL = 64;

/** One card as a small basin. */
export function CardItem({ card, view }: { card: CardView; view: Pick<CardsView, "viewer"> }) {
  const { viewer } = view;
  const isFrozen = card.status === "FROZEN";
  const left = leftInCents(card);
  return (
    <li className="flex flex-col">
      <div
        className={
          isFrozen
            ? "grid relative content-start gap-3.5 min-h-42 px-5 pt-3.5 pb-19.5 border rounded-lg bg-surface overflow-hidden [&>i]:absolute [&>i]:inset-x-0 [&>i]:top-auto [&>i]:bottom-0 [&>i]:border-t [&>i]:border-teal [&>i]:bg-water-2 border-dashed border-edge [&>i]:hidden"
            : "grid relative content-start gap-3.5 min-h-42 px-5 pt-3.5 pb-19.5 border border-ink-2 rounded-lg bg-surface overflow-hidden [&>i]:absolute [&>i]:inset-x-0 [&>i]:top-auto [&>i]:bottom-0 [&>i]:border-t [&>i]:border-teal [&>i]:bg-water-2"
        }
      >
        {left !== null && card.monthlyLimitInCents ? (
          <i
            aria-hidden="true"
            style={{ height: Math.round((FULL * left) / card.monthlyLimitInCents) }}
            hidden={left === 0}
          />
        ) : null}
        <div className="flex items-center justify-between gap-4 min-h-6 [&_.status]:leading-4.5">
          <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{card.name}</h2>
          {isFrozen ? (
            <Status tone="mute" icon={<Snowflake />}>
              Frozen
            </Status>
          ) : (
            <span className="text-sm text-ink-3 text-right">
              {card.holderName ?? CARD_TYPE_WORDS[card.cardType]}
            </span>
          )}
        </div>
        <div className="flex items-end justify-between gap-4">
          <p>
            <span className="text-sm text-ink-3">{leftLabel(left, isFrozen)}</span>
            <br />
            <Amount cents={left ?? card.spentInCents} size="xl" />
          </p>
          <span className={MONO}>
            <span className="sr-only">Number ending in </span>••{card.numberEnding}
          </span>
        </div>
      </div>
      {/* Side by side, the actions of two cards are level, however long the lines above them are. */}
      <div className="grid grow grid-cols-[minmax(0,1fr)_auto] items-stretch gap-y-2 gap-x-4 mt-3.5 [&>[role='status']]:col-span-full">
        <div className="flex flex-col items-start justify-between">
          <p className="text-sm text-ink-3">
            From{" "}
            <Link className={`${LINK} inline-flex items-center min-h-6`} href={card.account.href}>
              {card.account.name}
            </Link>
            . {limitWords(card)}{" "}
            <Link className={`${LINK} inline-flex items-center min-h-6`} href={card.purchasesHref}>
              Purchases<span className="sr-only"> of {card.name}</span>
            </Link>
          </p>
          {viewer.canDecide ? <CloseCard card={card} /> : null}
        </div>
        <CardSwitch card={card} viewer={viewer} />
      </div>
    </li>
  );
}

function leftLabel(left: number | null, isFrozen: boolean): string {
  if (left === null) return "Spent this month";
  return isFrozen ? "Left when frozen" : "Left this month";
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
        <Link className={LINK} href="/transfers/cards">
          All card transactions
        </Link>
      }
    >
      <Table
        caption="Recent card transactions, newest first"
        areHeadsHidden
        rows={purchases}
        columns={[
          {
            head: "When",
            kind: "MOMENT",
            phone: "BELOW",
            className: "text-ink-3",
            cell: ({ at }) => <Moment at={at} time={time} />,
            below: ({ at, kind }) => (
              <>
                <Moment at={at} time={time} />
                {kind === "PURCHASE" ? null : `, ${TRANSACTION_WORDS[kind].toLowerCase()}`}
              </>
            ),
          },
          { head: "Transaction", cell: (purchase) => <TransactionFlow purchase={purchase} /> },
          {
            head: "State",
            phone: "HIDDEN",
            cell: ({ kind }) => (
              <Status tone="green" icon={<Check />}>
                {TRANSACTION_WORDS[kind]}
              </Status>
            ),
          },
          {
            head: "Amount",
            kind: "MONEY",
            cell: ({ amountInCents, kind }) => {
              const isIn = kind !== "PURCHASE";
              return <Amount cents={amountInCents} plus={isIn ? "whenPositive" : "never"} isIn={isIn} />;
            },
          },
        ]}
      />
    </Section>
  );
}

function TransactionFlow({ purchase: { cardName, shopName, kind } }: { purchase: CardPurchaseView }) {
  const ends = kind === "PURCHASE" ? { from: cardName, to: shopName } : { from: shopName, to: cardName };
  return <Flow {...ends} state="through" layout="column" />;
}

const TRANSACTION_WORDS: Record<CardPurchaseView["kind"], string> = {
  PURCHASE: "Settled",
  REFUND: "Refunded",
  PAYOUT: "Payout received",
};

function ClosedCards({ cards }: { cards: readonly CardView[] }) {
  return (
    <Section id="closed" title="Closed" fact="History is kept">
      <Table
        caption="Closed cards"
        areHeadsHidden
        rows={cards}
        columns={[
          { head: "Card", header: true, cell: ({ name }) => name },
          { head: "Pod", className: "text-ink-3", cell: ({ account }) => `From ${account.name}` },
          {
            head: "Number",
            kind: "NUMBER",
            className: MONO,
            cell: ({ numberEnding }) => `••${numberEnding}`,
          },
        ]}
      />
    </Section>
  );
}
