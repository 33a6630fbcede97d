import type { Draft } from "@/lib/core/demo/draft";
import { CYCLE_DAYS, CYCLES } from "@/lib/core/demo/draft-cycle";
import { EARLIER_CYCLES, FIRST_CYCLE_DAY } from "@/lib/core/demo/draft-earlier";

const WEEKS = CYCLES + EARLIER_CYCLES;
/** When Mara freezes the card for advertising. */
export const ADS_FROZEN_DAY = 82;

/** A year of purchases, week by week; the latest settle in the morning of the last banking day. */
export function draftCardYear(draft: Draft): void {
  for (let week = 0; week < WEEKS; week += 1) {
    const firstDay = FIRST_CYCLE_DAY - week * CYCLE_DAYS;
    draftStudio(draft, firstDay, week);
    draftTravel(draft, firstDay, week);
    if (week >= 2 && week % 2 === 0 && firstDay - 1 > ADS_FROZEN_DAY) draftAds(draft, firstDay - 1);
  }
  draftOnce(draft);
}

function draftStudio(draft: Draft, firstDay: number, week: number): void {
  draft.purchase({
    card: "Studio",
    merchant: "Rosa’s Canteen",
    category: "FOOD_AND_DRINK",
    // The last one is as in the design.
    amountInCents: week === WEEKS - 1 ? 8_640 : draft.number(54, 104) * 100 + draft.number(1, 4) * 20,
    day: firstDay - 3,
    time: "12:40",
  });
  if (week % 4 !== 0) return;
  draft.purchase({
    card: "Studio",
    merchant: "Paper & Sons",
    category: "SHOPPING",
    amountInCents: draft.number(92, 184) * 100 + 40,
    day: firstDay - 1,
    time: "10:35",
  });
}

function draftTravel(draft: Draft, firstDay: number, week: number): void {
  if (week % 2 === 1) {
    draft.purchase({
      card: "Travel",
      merchant: "Northline Rail",
      category: "ENTERTAINMENT_AND_TRAVEL",
      amountInCents: 14_250,
      day: firstDay - 2,
      time: "07:50",
    });
  }
  if (week % 3 === 0) {
    draft.purchase({
      card: "Travel",
      merchant: "Meridian Fuel",
      category: "TRANSPORTATION",
      // .03: the pump authorizes more than the fuel costs, and a fifth less settles.
      amountInCents: draft.number(74, 96) * 100 + 3,
      day: firstDay,
      time: "15:20",
    });
  }
  if (week % 10 === 4) {
    draft.purchase({
      card: "Travel",
      merchant: "Hotel Lindqvist",
      category: "ENTERTAINMENT_AND_TRAVEL",
      amountInCents: draft.number(262, 318) * 100,
      day: firstDay - 1,
      time: "09:10",
    });
  }
}

function draftAds(draft: Draft, day: number): void {
  draft.purchase({
    card: "Ads",
    merchant: "Beacon Ads",
    category: "OTHER",
    amountInCents: draft.number(12, 18) * 500,
    day,
    time: "04:15",
  });
}

/** One-time purchases, refunds, and payouts. */
function draftOnce(draft: Draft): void {
  const hardware = { card: "Studio", merchant: "Fieldnote Computers", category: "SHOPPING" } as const;
  draft.purchase({ ...hardware, amountInCents: 112_900, day: 236, time: "11:05" });
  // .04: delivered and settled in two parts.
  draft.purchase({ ...hardware, amountInCents: 68_404, day: 161, time: "14:30" });
  // .08: returned, and refunded three days after it settled.
  draft.purchase({ ...hardware, amountInCents: 21_908, day: 118, time: "13:15" });
  draft.purchase({ ...hardware, amountInCents: 84_900, day: 47, time: "10:10" });
  const hotel = {
    card: "Travel",
    merchant: "Hotel Lindqvist",
    category: "ENTERTAINMENT_AND_TRAVEL",
  } as const;
  // .01: a deposit that is only held.
  draft.purchase({ ...hotel, amountInCents: 15_001, day: 154, time: "16:05" });
  draft.cardCredit("REFUND", { ...hotel, amountInCents: 6_200, day: 174, time: "10:40" });
  draft.purchase({
    card: "Travel",
    merchant: "Type Foundry Nord",
    category: "SHOPPING",
    amountInCents: 24_000,
    day: 5,
    time: "11:20",
  });
  draft.cardCredit("PAYOUT", {
    card: "Studio",
    merchant: "Pushpay",
    category: null,
    amountInCents: 42_000,
    day: 1,
    time: "10:05",
  });
  draft.cardCredit("REFUND", {
    card: "Studio",
    merchant: "Paper & Sons",
    category: "SHOPPING",
    amountInCents: 3_120,
    day: 3,
    time: "15:25",
  });
  // The card is frozen by then.
  const ads = { card: "Ads", merchant: "Beacon Ads", category: "OTHER" } as const;
  draft.purchase({ ...ads, amountInCents: 7_500, day: ADS_FROZEN_DAY - 6, time: "04:15" }, "DECLINED");
}
