import { Books } from "@/app/accounts/[id]/statement/_components/statement";
import { TIME } from "@/app/design/_components/approval-examples";
import { type Shown, Stack } from "@/app/design/specimen";
import { MoneyMap } from "@/app/overview/_components/money-map";
import { FlowChart } from "@/app/profile/_components/flow-chart";
import { DayStrip as SandboxDays } from "@/app/sandbox/_components/day-strip";
import { DayStrip as DeliveryDays } from "@/app/settings/webhooks/_components/day-strip";
import { deliveriesSpec } from "@/app/settings/webhooks/[id]/_components/endpoint-page";
import { BalanceChart } from "@/components/charts/balance-chart";
import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartSpec } from "@/components/charts/chart-spec";
import type { BalancePoint } from "@/lib/views/accounts/read-balance-history";
import type { StatementRowView } from "@/lib/views/accounts/read-statement";
import type { MapNodeView, MoneyMapView } from "@/lib/views/overview/build-money-map";

const HERE = "/design?show=primitives";

const NODE: MapNodeView = {
  id: "income",
  kind: "SOURCE",
  name: "Helvetia Health",
  href: null,
  column: 0,
  inInCents: 0,
  outInCents: 1_240_000,
  waitingInCents: 0,
  keptInCents: null,
};
const MAP: MoneyMapView = {
  days: 30,
  hrefs: { 30: HERE, 90: HERE },
  nodes: [
    NODE,
    {
      ...NODE,
      id: "operating",
      kind: "ACCOUNT",
      name: "Operating",
      href: HERE,
      column: 1,
      inInCents: 1_240_000,
      outInCents: 730_000,
      waitingInCents: 425_000,
      keptInCents: 510_000,
    },
    {
      ...NODE,
      id: "taxes",
      kind: "ACCOUNT",
      name: "Taxes",
      href: HERE,
      column: 2,
      inInCents: 310_000,
      outInCents: 0,
      keptInCents: 310_000,
    },
    { ...NODE, id: "rent", kind: "DESTINATION", name: "Rent", column: 3, inInCents: 420_000, outInCents: 0 },
  ],
  links: [
    { fromId: "income", toId: "operating", amountInCents: 1_240_000 },
    { fromId: "operating", toId: "taxes", amountInCents: 310_000 },
    { fromId: "operating", toId: "rent", amountInCents: 420_000 },
  ],
  notDrawn: [],
  sums: {
    inInCents: 1_240_000,
    inFromOwnInCents: 0,
    outInCents: 420_000,
    outToOwnInCents: 0,
    keptInCents: 820_000,
    atGateInCents: 425_000,
  },
};

const POINTS: BalancePoint[] = [
  { at: "2026-10-21T16:26:00Z", balanceInCents: 1_210_000 },
  { at: "2026-10-30T14:00:00Z", balanceInCents: 1_920_000 },
  { at: "2026-11-04T14:00:00Z", balanceInCents: 980_000 },
  { at: "2026-11-16T14:00:00Z", balanceInCents: 1_842_055 },
  { at: "2026-11-20T16:26:00Z", balanceInCents: 1_842_055 },
];

const MONTHS = [
  { month: "2026-08", inInCents: 1_820_000, outInCents: 1_410_000, netInCents: 410_000 },
  { month: "2026-09", inInCents: 1_240_000, outInCents: 1_630_000, netInCents: -390_000 },
  { month: "2026-10", inInCents: 2_160_000, outInCents: 1_380_000, netInCents: 780_000 },
  { month: "2026-11", inInCents: 1_530_000, outInCents: 420_000, netInCents: 1_110_000 },
];

const WINDOW = { from: "2026-08-24T16:26:00Z", to: "2026-11-20T16:26:00Z" };

const DELIVERIES = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, "0")}`,
  delivered: (index * 7) % 23,
  gaveUp: index === 12 ? 4 : 0,
  failedAttempts: index === 12 || index === 21 ? 6 : 0,
}));

const WEEKS: ChartSpec = {
  unit: "CENTS",
  rows: Array.from({ length: 12 }, (_, index) => ({
    label: `Week ${index + 1}`,
    tick: `Week ${index + 1}`,
    values: [120_000 + ((index * 7) % 5) * 20_000, ((index * 3) % 4) * 40_000, 30_000],
    ...(index > 6 && { isAhead: true, note: "Forecast" }),
  })),
  series: [
    { name: "Taxes", shape: "BAR", color: "chart-1", stack: "moved" },
    { name: "Payroll", shape: "BAR", color: "chart-2", stack: "moved" },
    { name: "Profit", shape: "BAR", color: "chart-3", stack: "moved" },
  ],
  divider: { label: "This week", index: 6 },
};

const BUSINESS_DAYS = [
  { date: "2026-11-24", isBankingDay: true, holiday: null, events: [] },
  { date: "2026-11-25", isBankingDay: true, holiday: null, events: ["Operating to Rent"] },
  { date: "2026-11-26", isBankingDay: false, holiday: "Thanksgiving Day", events: [] },
  { date: "2026-11-27", isBankingDay: true, holiday: null, events: ["a", "b"] },
  { date: "2026-11-28", isBankingDay: false, holiday: null, events: [] },
];

const BOOKED: StatementRowView[] = [
  {
    id: "booked-1",
    at: "2026-11-03T14:00:00Z",
    fromName: "Helvetia Health",
    toName: "Operating",
    about: "Deposit",
    changeInCents: 610_000,
    balanceAfterInCents: 1_820_000,
  },
  {
    id: "booked-2",
    at: "2026-11-04T14:00:00Z",
    fromName: "Operating",
    toName: "Rent",
    about: "Rule: Rent on the 4th",
    changeInCents: -420_000,
    balanceAfterInCents: 1_400_000,
  },
];

/** What draws money over time, and the tables that say the same in numbers. */
export const SHOWN_DRAWINGS: readonly Shown[] = [
  {
    name: "Money map",
    use: "Where money came from and went: channels as wide as their amounts, a gate where it waits, a table as its twin.",
    states: <MoneyMap map={MAP} canDecide time={TIME} />,
  },
  {
    name: "Balance chart",
    use: "A balance in steps, because it changes at moments; the dashed line is the floor.",
    states: (
      <BalanceChart
        points={POINTS}
        floorInCents={800_000}
        label="Balance of Operating over 30 days"
        caption="Balance of Operating by day"
        name="Balance"
        time={TIME}
      />
    ),
  },
  {
    name: "Cash flow chart",
    use: "In and out by month, with the net as a line.",
    states: <FlowChart view={{ profile: { cashFlow: { months: MONTHS }, window: WINDOW }, time: TIME }} />,
  },
  {
    name: "Bar chart",
    use: "Parts of a sum over time, in the order of the chart colors; what is forecast is lighter. A dot marks what failed.",
    states: (
      <Stack>
        <ChartFrame
          spec={WEEKS}
          label="What a rule moves in each week"
          table={{ caption: "What a rule moves, week by week", rowHead: "Week of", rows: "NOT_ZERO" }}
        />
        <ChartFrame
          spec={deliveriesSpec(DELIVERIES, TIME)}
          label="Deliveries over 30 days"
          table={{ caption: "Deliveries by day", rowHead: "Day", rows: "NOT_ZERO" }}
          size="SHORT"
        />
      </Stack>
    ),
  },
  {
    name: "Day strip",
    use: "The sandbox’s days: banking days hold water, closed days are dry. In a webhook’s, red means failed.",
    states: (
      <Stack>
        <SandboxDays view={{ days: BUSINESS_DAYS, dayFraction: 0.4 }} />
        <DeliveryDays days={DELIVERIES} />
      </Stack>
    ),
  },
  {
    name: "Statement totals",
    use: "Opening balance, every movement with the balance after it, and the closing balance under a double rule.",
    states: (
      <Books
        books={{
          openingInCents: 1_210_000,
          closingInCents: 1_400_000,
          inInCents: 610_000,
          outInCents: 420_000,
          count: 2,
          rows: BOOKED,
          more: null,
        }}
        view={{ time: TIME }}
      />
    ),
  },
];
