import { expect, test } from "vitest";
import { actionOutcome, actionTitle } from "@/app/sandbox/_components/action-sentence";
import type { SandboxAction } from "@/lib/contract/sandbox";
import type { SandboxOutcome } from "@/lib/views/sandbox/read-actions";

/** Outcomes must be real: never "settled" for what failed. */
const TIME = { nowAt: "2026-11-20T16:26:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const NOTHING: SandboxOutcome = { settled: 0, failed: 0, returned: 0, expired: 0 };

function reported(action: SandboxAction, outcome: Partial<SandboxOutcome> = {}) {
  const view = {
    id: "1",
    at: TIME.nowAt,
    memberName: "Mara",
    action,
    outcome: { ...NOTHING, ...outcome },
    setOff: { count: 0, runs: [] },
  };
  return [actionTitle(view), actionOutcome(view, TIME)];
}

const deposit: SandboxAction = {
  kind: "DEPOSITED",
  reference: "SBX-1",
  origin: "CHECK_DEPOSIT",
  amountInCents: 710_000,
  accountName: "Client payments",
  payerName: "Halden Health",
  arrivesAt: "2026-11-23T13:30:00.000Z",
};
const sentBack: SandboxAction = {
  kind: "SENT_BACK",
  transferId: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16",
  amountInCents: 90_000,
  partyName: "Juniper Foods",
  code: "R10",
};
const moved = (toAt: string): SandboxAction => ({ kind: "MOVED_CLOCK", fromAt: TIME.nowAt, toAt });

test("a check shows its clearing day, then settled, then returned", () => {
  expect(reported(deposit)).toEqual([
    "Check of $7,100.00 from Halden Health",
    "Arrives in Client payments Mon, Nov\u00a023, 8:30\u00a0AM.",
  ]);
  expect(reported(deposit, { settled: 1 })[1]).toBe("Settled in Client payments.");
  expect(reported(deposit, { returned: 1 })[1]).toBe("Arrived in Client payments, then returned.");
});

test("a fee says that the books do not know it", () => {
  expect(reported({ kind: "BOOKED_BY_BANK", as: "FEE", amountInCents: 1_500 })).toEqual([
    "The bank charged a fee of $15.00",
    "Not in the books. The next reconciliation finds it.",
  ]);
});

test("a return says whether the transfer had settled", () => {
  expect(reported(sentBack)).toEqual([
    "Sent back $900.00, Juniper Foods, R10",
    "Not authorized. The bank has not reported it yet.",
  ]);
  expect(reported(sentBack, { failed: 1 })[1]).toBe(
    "Not authorized. It had not settled; the hold was released.",
  );
  expect(reported(sentBack, { returned: 1 })[1]).toBe(
    "Not authorized. It had settled, so it was booked back.",
  );
});

test.each([
  ["2026-11-20T16:56:00.000Z", "30 minutes"],
  ["2026-11-20T17:26:00.000Z", "1 hour"],
  ["2026-11-22T15:26:00.000Z", "47 hours"],
  ["2026-11-27T16:26:00.000Z", "7 days"],
])("a clock moved to %s reads as moved by %s", (toAt, words) => {
  expect(reported(moved(toAt))).toEqual([`Moved the clock by ${words}`, "Nothing was due."]);
});

test("work that fell due while the clock moved is counted", () => {
  const outcome = { settled: 2, failed: 1, returned: 1, expired: 1 };
  expect(reported(moved("2026-11-27T16:26:00.000Z"), outcome)[1]).toBe(
    "Settled 2 transfers, failed 1, returned 1, let 1 proposal expire.",
  );
});

test("changes to connections and pending transactions are named", () => {
  expect(
    reported({ kind: "CONNECTION_CHANGED", institutionName: "First Harbor", change: "SIGN_IN" })[0],
  ).toBe("First Harbor needs a new sign-in");
  expect(reported({ kind: "PENDING_DECIDED", description: "FUEL", settledInCents: null })).toEqual([
    "FUEL vanished",
    "It was never posted.",
  ]);
  expect(reported({ kind: "PENDING_DECIDED", description: "FUEL", settledInCents: 5_010 })[0]).toBe(
    "FUEL settled as $50.10",
  );
});
