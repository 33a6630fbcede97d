import { expect, test } from "vitest";
import { actionOutcome, actionTitle } from "@/components/sandbox/action-sentence";
import type { SandboxAction, SandboxOutcome } from "@/lib/contract/views/sandbox-view";

/** What is told of an action must be what came of it: a page that says "settled" of what failed would lie. */
const TIME = { nowAt: "2026-11-20T16:26:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const NOTHING: SandboxOutcome = { settled: 0, failed: 0, returned: 0, expired: 0 };

function told(action: SandboxAction, outcome: Partial<SandboxOutcome> = {}) {
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

test("a check is told with the day on which it clears, then as settled, then as taken back", () => {
  expect(told(deposit)).toEqual([
    "Check of $7,100.00 from Halden Health",
    "Arrives in Client payments Mon 23\u00a0Nov, 08:30.",
  ]);
  expect(told(deposit, { settled: 1 })[1]).toBe("Settled in Client payments.");
  expect(told(deposit, { returned: 1 })[1]).toBe("Arrived in Client payments, and was taken back.");
});

test("what was sent back is told by whether it had settled", () => {
  expect(told(sentBack)).toEqual([
    "Sent back $900.00, Juniper Foods, R10",
    "Not authorized. The bank has not told yet.",
  ]);
  expect(told(sentBack, { failed: 1 })[1]).toBe("Not authorized. It had not settled: the hold was released.");
  expect(told(sentBack, { returned: 1 })[1]).toBe(
    "Not authorized. It had settled: a booking back, not an edit.",
  );
});

test.each([
  ["2026-11-20T16:56:00.000Z", "30 minutes"],
  ["2026-11-20T17:26:00.000Z", "1 hour"],
  ["2026-11-22T15:26:00.000Z", "47 hours"],
  ["2026-11-27T16:26:00.000Z", "7 days"],
])("a clock moved to %s is told as moved by %s", (toAt, words) => {
  expect(told(moved(toAt))).toEqual([`Moved the clock by ${words}`, "Nothing was due."]);
});

test("what fell due while the clock moved is counted", () => {
  const outcome = { settled: 2, failed: 1, returned: 1, expired: 1 };
  expect(told(moved("2026-11-27T16:26:00.000Z"), outcome)[1]).toBe(
    "Settled 2 transfers, failed 1, returned 1, let 1 proposal expire.",
  );
});

test("a connection and a pending transaction are told by what was done to them", () => {
  expect(told({ kind: "CONNECTION_CHANGED", institutionName: "First Harbor", change: "SIGN_IN" })[0]).toBe(
    "First Harbor wants a new sign-in",
  );
  expect(told({ kind: "PENDING_DECIDED", description: "FUEL", settledInCents: null })).toEqual([
    "FUEL vanished",
    "It was never posted.",
  ]);
  expect(told({ kind: "PENDING_DECIDED", description: "FUEL", settledInCents: 5_010 })[0]).toBe(
    "FUEL settled as $50.10",
  );
});
