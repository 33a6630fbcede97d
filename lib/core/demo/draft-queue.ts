import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import type { DemoQueued, HistoryStep } from "@/lib/core/demo/history-step";
import { ORGANIZATION } from "@/lib/core/demo/northwind";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** From the invoice to its payment. */
const DUE_DAYS = 7;

type Queued = Omit<DemoQueued, "askedAt" | "reason">;

/**
 * What else waits, so that the queue shows what it is for: several requesters and routes, small invoices, documents and a
 * batch. Each closes as long after `now` as the design says. Nothing of it moves money by itself. Pure.
 */
export function planQueue(now: Date): HistoryStep[] {
  const asked = [
    ...redlinePrint(now),
    ...kilnStudio(now),
    ...staffPay(now),
    ...ostromPhoto(now),
    ...pods(now),
  ];
  return [
    ...asked.map((one) => ({ kind: "ASK_QUEUED" as const, at: one.askedAt, asked: one })),
    {
      kind: "ASK_BATCH",
      at: closingIn(now, 22, 48),
      batch: {
        by: "JONAS",
        reason: "Deposits for the spring shoot.",
        lines: [
          { from: "Operating", to: "Redline Print", amountInCents: 11_000 },
          { from: "Operating", to: "Kiln Studio", amountInCents: 10_000 },
          { from: "Operating", to: "Ostrom Photo", amountInCents: 9_000 },
        ],
      },
    },
  ];
}

/** When a proposal was made that closes in so long. */
function closingIn(now: Date, hours: number, minutes: number): Date {
  return new Date(now.getTime() - APPROVAL_EXPIRY_MS + (hours * 60 + minutes) * MINUTE_MS);
}

const DUE_FORMAT = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: ORGANIZATION.timeZone,
});

function invoice(askedAt: Date, number: string, queued: Queued): DemoQueued {
  const due = DUE_FORMAT.format(new Date(askedAt.getTime() + DUE_DAYS * DAY_MS));
  return { ...queued, askedAt, reason: `Invoice ${number}, due ${due}.` };
}

function redlinePrint(now: Date): DemoQueued[] {
  const route = { by: "claude-bookkeeping", from: "Operating", to: "Redline Print" } as const;
  const paid = (hours: number, minutes: number, number: string, amountInCents: number, isAttached = false) =>
    invoice(closingIn(now, hours, minutes), number, {
      ...route,
      amountInCents,
      ...(isAttached && { invoice: number }),
    });
  return [
    paid(2, 40, "RP-2207", 18_400),
    paid(2, 40, "RP-2208", 9_600),
    paid(5, 10, "RP-2211", 21_200, true),
    paid(9, 5, "RP-2215", 32_000, true),
    paid(9, 5, "RP-2214", 14_800),
    paid(14, 20, "RP-2219", 32_400),
  ];
}

function kilnStudio(now: Date): DemoQueued[] {
  const bills = [
    { number: "KS-81", amountInCents: 24_000, closes: [4, 15] },
    { number: "KS-82", amountInCents: 16_500, closes: [4, 15] },
    { number: "KS-83", amountInCents: 31_000, closes: [10, 30] },
    { number: "KS-84", amountInCents: 12_000, closes: [16, 5] },
    { number: "KS-85", amountInCents: 14_500, closes: [16, 5] },
  ] as const;
  return bills.map(({ number, amountInCents, closes: [hours, minutes] }) =>
    invoice(closingIn(now, hours, minutes), number, {
      by: "claude-bookkeeping",
      from: "Operating",
      to: "Kiln Studio",
      amountInCents,
    }),
  );
}

/** One run of the payroll program: what people of the studio paid themselves. */
function staffPay(now: Date): DemoQueued[] {
  const spent = [
    ["Train to the Halden shoot", 8_400],
    ["Hotel at the Halden shoot", 12_650],
    ["Parking, three days", 4_500],
    ["Lens rental", 21_200],
    ["Backdrop paper", 9_840],
    ["Lunch with Juniper Foods", 6_160],
    ["Drive for the archive", 15_000],
    ["Taxi to the airport", 7_325],
    ["Memory cards", 11_800],
    ["Stamps and parcels", 3_975],
    ["Flight to the Finch review", 16_750],
    ["Props for the spring set", 9_200],
    ["Coffee for the set", 5_500],
    ["Softbox and tripod", 13_700],
  ] as const;
  return spent.map(([what, amountInCents], index) => ({
    by: "ops-payroll",
    from: "Payroll",
    to: "Staff pay",
    amountInCents,
    askedAt: new Date(closingIn(now, 6, 30).getTime() + index * 1_000),
    reason: `${what}. Paid by an employee, receipt on file.`,
  }));
}

function ostromPhoto(now: Date): DemoQueued[] {
  const prices = [6_400, 8_800, 11_200, 7_200, 9_800, 10_400, 7_800];
  return prices.map((amountInCents, index) => ({
    by: "Claude",
    from: "Operating",
    to: "Ostrom Photo",
    amountInCents,
    askedAt: new Date(closingIn(now, 11, 45).getTime() + index * MINUTE_MS),
    reason: `License for picture ${index + 1} of 7 in the Halden campaign.`,
  }));
}

function pods(now: Date): DemoQueued[] {
  const from = { by: "mara-cli", from: "Operating" } as const;
  const [first, second] = [closingIn(now, 18, 2), closingIn(now, 18, 20)];
  return [
    { ...from, to: "Owner’s pay", amountInCents: 38_500, askedAt: first, reason: "Part of the week’s pay." },
    { ...from, to: "Owner’s pay", amountInCents: 23_500, askedAt: first, reason: "Mileage of October." },
    { ...from, to: "Profit", amountInCents: 18_100, askedAt: second, reason: "Toward the $12,000.00 goal." },
    {
      ...from,
      to: "Profit",
      amountInCents: 15_000,
      askedAt: second,
      reason: "Refund of the camera deposit.",
    },
  ];
}
