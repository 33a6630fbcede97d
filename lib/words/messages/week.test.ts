import { describe, expect, it } from "vitest";
import { MAX_SMS_LENGTH } from "@/lib/words/messages/compose-sms";
import { renderWeek, type WeekReport } from "@/lib/words/messages/week";

const WEEK: WeekReport = {
  beganOn: "2026-11-16",
  inInCents: 0,
  outInCents: 0,
  totalInCents: 0,
  approvedCount: 0,
  deniedCount: 0,
  expiredCount: 0,
  waitingCount: 2,
  runCount: 0,
  failedCount: 0,
  overviewUrl: "https://sluice.example/",
};
const render = (week: Partial<WeekReport>) =>
  renderWeek({ ...WEEK, ...week }, { organizationName: "Northwind", isSandboxBank: false, timeZone: "UTC" });

describe("a week", () => {
  it("is reported by email and SMS with what came in and went out", () => {
    const { email, sms } = render({ inInCents: 50_000, outInCents: 1 });
    expect(email.subject).toBe("Your week: $500.00 came in, $0.01 went out");
    expect(email.text).toContain("$500.00 came in.\n$0.01 went out.");
    expect(sms).toBe("Sluice: your week. $500.00 came in, $0.01 went out. 2 wait. https://sluice.example/");
  });

  it("fits into an SMS at the largest amounts that there are", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    expect(
      render({ inInCents: largest, outInCents: largest, waitingCount: 5_000 }).sms.length,
    ).toBeLessThanOrEqual(MAX_SMS_LENGTH);
  });
});
