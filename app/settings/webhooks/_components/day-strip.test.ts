import { expect, it } from "vitest";
import { daysInWords } from "@/app/settings/webhooks/_components/day-strip";

const day = (number: number, delivered: number, gaveUp: number, failedAttempts: number) => ({
  day: `2026-11-${String(number).padStart(2, "0")}`,
  delivered,
  gaveUp,
  failedAttempts,
});

it("describes every number that the strip draws, for screen readers", () => {
  expect(daysInWords([day(1, 1_200, 0, 0), day(2, 4, 3, 8), day(3, 0, 0, 4)])).toBe(
    "In 3 days: 1,204 delivered, 3 failed; 12 failed attempts on 2 days.",
  );
  expect(daysInWords([day(1, 1, 0, 0), day(2, 0, 0, 0)])).toBe(
    "In 2 days: 1 delivered, 0 failed; no failed attempts.",
  );
  expect(daysInWords([day(1, 0, 0, 0), day(2, 0, 0, 0)])).toBe("In 2 days: nothing was sent.");
});
