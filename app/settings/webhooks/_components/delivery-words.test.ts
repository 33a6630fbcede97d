import { describe, expect, it } from "vitest";
import {
  deliveryWords,
  isUnderWay,
  markWords,
  scheduleInWords,
  shareWords,
} from "@/app/settings/webhooks/_components/delivery-words";
import type { AttemptView, DeliveryStateView, DeliveryView } from "@/lib/views/webhooks/read-delivery";

const TIME = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

const delivery = (state: DeliveryStateView, attempts = 4): DeliveryView => ({
  eventId: "0c9b7a34-51e2-4d0e-8b1e-2f6d90c477d0",
  type: "transfer.changed",
  resource: { type: "transfer", id: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
  isTest: false,
  createdAt: "2026-11-20T13:40:05Z",
  state,
  attempts,
  statusCode: 503,
  problem: "STATUS",
  href: "/settings/webhooks/x",
  history: [],
  nextAttempts: [],
  body: "{}",
  resent: null,
});

const attempt = (number: number, at: string, problem: AttemptView["problem"]): AttemptView => ({
  number,
  at,
  durationMs: 10,
  statusCode: 503,
  problem,
  answer: null,
  signedAtSeconds: 1_795_167_605,
  signatureStart: "9f2c1a3b",
});

describe("the next step comes before the past", () => {
  it.each<[DeliveryStateView, string]>([
    [{ kind: "RETRYING", dueAt: "2026-11-20T17:16:00Z", isHeld: false }, "Next try at 12:16\u00a0PM"],
    [
      { kind: "RETRYING", dueAt: "2026-11-21T13:16:00Z", isHeld: false },
      "Next try on Sat, Nov\u00a021 at 8:16\u00a0AM",
    ],
    [{ kind: "RETRYING", dueAt: "2026-11-20T16:26:05Z", isHeld: false }, "On its way now"],
    [{ kind: "WAITING", dueAt: "2026-11-20T16:25:59Z", isHeld: false }, "On its way now"],
    [{ kind: "RETRYING", dueAt: "2026-11-20T16:25:00Z", isHeld: true }, "Paused"],
    [{ kind: "DELIVERED", at: "2026-11-20T16:20:00Z" }, "Delivered today at 11:20\u00a0AM"],
    [{ kind: "GAVE_UP" }, "Failed after 4 attempts"],
  ])("%o reads %s", (state, title) => {
    expect(deliveryWords(delivery(state), TIME).title).toBe(title);
  });
});

it("polls only while an attempt is near: not when paused, ended or hours away", () => {
  const due = (dueAt: string, isHeld: boolean) =>
    isUnderWay({ state: { kind: "RETRYING", dueAt, isHeld } }, TIME);
  expect(due("2026-11-20T16:26:04Z", false)).toBe(true);
  expect(due("2026-11-20T16:26:04Z", true)).toBe(false);
  expect(due("2026-11-20T16:31:00Z", false)).toBe(false);
  expect(isUnderWay({ state: { kind: "GAVE_UP" } }, TIME)).toBe(false);
});

it("describes the drawing in words, for screen readers", () => {
  const words = scheduleInWords(
    {
      history: [attempt(1, "2026-11-20T13:40:05Z", "STATUS"), attempt(2, "2026-11-20T14:16:00Z", "TIMEOUT")],
      state: { kind: "RETRYING", dueAt: "2026-11-20T17:16:00Z", isHeld: false },
      nextAttempts: ["2026-11-21T13:16:00Z"],
    },
    TIME,
  );
  expect(words).toBe(
    "2 attempts failed, the first today at 8:40\u00a0AM, the last today at 9:16\u00a0AM. If it keeps failing, the next attempts are: today, 12:16\u00a0PM; Sat, Nov\u00a021, 8:16\u00a0AM.",
  );
  expect(
    scheduleInWords(
      {
        history: [attempt(1, "2026-11-20T13:40:05Z", null)],
        state: { kind: "DELIVERED", at: "2026-11-20T13:40:05Z" },
        nextAttempts: [],
      },
      TIME,
    ),
  ).toBe("It was delivered today at 8:40\u00a0AM.");
});

it("names the day of a mark unless it is today", () => {
  expect(markWords("2026-11-20T17:16:00Z", TIME)).toEqual({ clock: "12:16\u00a0PM", day: null });
  expect(markWords("2026-11-21T13:16:00Z", TIME)).toEqual({ clock: "8:16\u00a0AM", day: "Sat" });
});

it.each([
  [1, "100%"],
  [0.9999, "99.9%"],
  [0.987, "98.7%"],
  [0.5, "50.0%"],
  [0, "0.0%"],
])("never rounds up to 100%: %d reads %s", (share, words) => {
  expect(shareWords(share)).toBe(words);
});
