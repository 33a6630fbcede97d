import { demoCalendar } from "@/lib/core/demo/demo-calendar";
import { Draft } from "@/lib/core/demo/draft";
import { ADS_FROZEN_DAY, draftCardYear } from "@/lib/core/demo/draft-cards";
import { CYCLES, draftCycle } from "@/lib/core/demo/draft-cycle";
import { CLAUDE_DAY, draftEarlierCycle, EARLIER_CYCLES } from "@/lib/core/demo/draft-earlier";
import { draftEarlierExceptions, draftFirstWeeksOfClaude } from "@/lib/core/demo/draft-earlier-exceptions";
import { draftCardPayments, draftOutOfTheOrdinary, draftWaiting } from "@/lib/core/demo/draft-exceptions";
import { draftRules } from "@/lib/core/demo/draft-rules";
import { draftHarborCloud, draftSubscriptions } from "@/lib/core/demo/draft-subscriptions";
import type {
  DemoCardCredit,
  DemoMovement,
  DemoPurchase,
  DemoRuleMove,
  HistoryStep,
} from "@/lib/core/demo/history-step";
import { KEY_NAMES } from "@/lib/core/demo/northwind";
import { CARD_NAMES } from "@/lib/core/demo/northwind-cards";
import { openingDeposits } from "@/lib/core/demo/opening-deposits";
import { depositSteps, toSteps } from "@/lib/core/demo/to-steps";

/** The banking day, back from now, on whose morning the receiver of webhooks was down. */
const DOWN_DAY = 6;

/** Banking days: a year and a week, also of a year with few holidays. */
const HISTORY_DAYS = 258;
/** When the studio handed in the checks that its pods open with. */
const OPENING_DAY = HISTORY_DAYS - 1;
/** When the money was there, and its cards were issued. */
const CARDS_DAY = OPENING_DAY - 1;
const MINUTE_MS = 60_000;

export interface History {
  /** When the organization is founded, before everything else. */
  foundedAt: Date;
  /** In order of time. */
  steps: HistoryStep[];
  movements: DemoMovement[];
  purchases: DemoPurchase[];
  cardCredits: DemoCardCredit[];
  /** What rules will have moved when the steps are played. */
  ruleMoves: DemoRuleMove[];
  nextCardDueDate: string;
  /** When the provider was last heard of: the morning of the last banking day. */
  balancesRefreshedAt: Date;
  webhooks: WebhookTimes;
}

/** Moments of the endpoint's past. */
export interface WebhookTimes {
  madeAt: Date;
  /** The receiver answers 503 from here to there, `downUntil` excluded. */
  downFrom: Date;
  downUntil: Date;
}

/**
 * The twelve months before `now`, planned whole: pure, and with the same amounts for any `now`. Movements are counted in
 * banking days back from now; what a calendar decides (the card's due day, subscriptions) falls on its dates, as often in
 * any year. Only what waits, and a purchase that has not settled yet, happened so and so long ago. What each account
 * opens with is whatever makes it end at the balance of `northwind.ts`.
 */
export function planHistory(now: Date): History {
  const calendar = demoCalendar(now, HISTORY_DAYS);
  const draft = new Draft(calendar);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) draftCycle(draft, cycle);
  draftCardPayments(draft);
  draftOutOfTheOrdinary(draft);
  draftWaiting(draft, now);
  for (let cycle = 0; cycle < EARLIER_CYCLES; cycle += 1) draftEarlierCycle(draft, cycle);
  draftEarlierExceptions(draft);
  draftFirstWeeksOfClaude(draft);
  draftCardYear(draft);
  draftSubscriptions(draft);
  draftHarborCloud(draft, now);
  draftRules(draft, now);
  const foundedAt = calendar.at(HISTORY_DAYS, "09:00");
  const opening = openingDeposits(draft, (minute) => calendar.at(OPENING_DAY, `10:0${minute}`));
  const steps = [
    ...setupSteps(foundedAt, calendar.at),
    ...opening.flatMap(depositSteps),
    ...toSteps(draft),
    ...Array.from({ length: OPENING_DAY }, (_, index) => ({
      kind: "BANK_MORNING" as const,
      at: calendar.at(index + 1, "08:31"),
    })),
  ];
  const { movements, purchases, cardCredits, ruleMoves } = draft;
  return {
    foundedAt,
    steps: steps.sort((left, right) => left.at.getTime() - right.at.getTime()),
    movements,
    purchases,
    cardCredits,
    ruleMoves,
    nextCardDueDate: calendar.nextCardDueDate,
    balancesRefreshedAt: calendar.at(1, "06:12"),
    webhooks: {
      madeAt: calendar.at(CLAUDE_DAY, "16:40"),
      downFrom: calendar.at(DOWN_DAY, "08:20"),
      downUntil: calendar.at(DOWN_DAY, "10:50"),
    },
  };
}

/** Keys a minute apart, the assistant's when it comes; cards when there is money to spend. */
function setupSteps(foundedAt: Date, at: (day: number, time: string) => Date): HistoryStep[] {
  return [
    ...KEY_NAMES.map((key, index) => ({
      kind: "MAKE_KEY" as const,
      at:
        key === "claude-bookkeeping"
          ? at(CLAUDE_DAY, "10:12")
          : new Date(foundedAt.getTime() + (index + 1) * MINUTE_MS),
      key,
    })),
    ...CARD_NAMES.map((card, index) => ({
      kind: "ISSUE_CARD" as const,
      at: at(CARDS_DAY, `09:3${index}`),
      card,
    })),
    { kind: "FREEZE_CARD", at: at(ADS_FROZEN_DAY, "16:35"), card: "Ads", by: "MARA" },
  ];
}
