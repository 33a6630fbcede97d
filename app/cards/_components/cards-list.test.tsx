import { expect, test } from "vitest";
import { CardsList } from "@/app/cards/_components/cards-list";
import { Acting } from "@/components/act/acting";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { CardPurchaseView, CardsView } from "@/lib/views/cards/list-cards";

function renderCards(given: Partial<CardsView>): string {
  const view: CardsView = {
    purchases: [],
    cards: [],
    closed: [],
    issued: null,
    firstPosition: 1,
    count: 0,
    activeCount: 0,
    previousHref: null,
    nextHref: null,
    isSandbox: true,
    isOffered: true,
    viewer: { canDecide: true, hasPasskey: false },
    ...given,
  };
  return renderInRouter(
    <Acting>
      <CardsList
        view={view}
        hasSandboxPage
        time={{ nowAt: "2026-11-23T16:00:00.000Z", timeZone: "UTC", locale: "en-US" }}
      />
    </Acting>,
  );
}

function rowOf(kind: CardPurchaseView["kind"]): string {
  const purchase = {
    id: "1",
    at: "2026-11-23T15:00:00.000Z",
    cardName: "Studio",
    shopName: "Gig Market",
    kind,
    amountInCents: 4_900,
  };
  const page = renderCards({ purchases: [purchase] });
  const row = /<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? "";
  return row
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test("a purchase flows out of the card; a payout and a refund flow into it and are added", () => {
  expect(rowOf("PURCHASE")).toMatch(/Studio to Gig Market .* \$ ?49/);
  expect(rowOf("PURCHASE")).not.toContain("+");
  expect(rowOf("PAYOUT")).toMatch(/Gig Market to Studio .*Payout received.*\+/);
  expect(rowOf("REFUND")).toMatch(/Gig Market to Studio .*Refunded.*\+/);
});

test("where no cards are offered, none can be issued, and the page says so", () => {
  expect(renderCards({})).toContain("Issue card");
  const page = renderCards({ isOffered: false });
  expect(page).not.toContain("/cards/new");
  expect(page).toContain("No cards are offered here");
});
