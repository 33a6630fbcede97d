import { expect, it } from "vitest";
import { sinceInstant } from "@/app/settings/webhooks/since-instant";

const TIME = { nowAt: "2026-11-20T16:26:00.000Z", timeZone: "America/New_York", locale: "en-US" };

it("counts spans from the organization's now", () => {
  expect(sinceInstant({ kind: "HOURS", hours: 24 }, TIME).toISOString()).toBe("2026-11-19T16:26:00.000Z");
});

it("reads a date and time as the organization's clocks show it, in winter and in summer", () => {
  expect(sinceInstant({ kind: "LOCAL", local: "2026-11-20T08:40" }, TIME).toISOString()).toBe(
    "2026-11-20T13:40:00.000Z",
  );
  expect(sinceInstant({ kind: "LOCAL", local: "2026-07-20T08:40" }, TIME).toISOString()).toBe(
    "2026-07-20T12:40:00.000Z",
  );
});
