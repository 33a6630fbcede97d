import { describe, expect, it } from "vitest";
import { MAX_SMS_LENGTH } from "@/lib/words/messages/compose-sms";
import { renderWeek, type ToldWeek } from "@/lib/words/messages/week";

const WEEK: ToldWeek = {
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
const render = (week: Partial<ToldWeek>) =>
  renderWeek({ ...WEEK, ...week }, { organizationName: "Northwind", isSandboxBank: false, timeZone: "UTC" });

describe("a week in which more of earlier weeks was returned than moved", () => {
  it("is reported at all, also by SMS, which takes no minus sign, and in words that say what happened", () => {
    const { email, sms } = render({ inInCents: -50_000, outInCents: -1 });
    expect(email.subject).toBe(
      "Your week: $500.00 that had come in was returned, $0.01 that had gone out came back",
    );
    expect(email.text).toContain(
      "$500.00 that had come in was returned.\n$0.01 that had gone out came back.",
    );
    expect(sms).toBe(
      "Sluice: your week. $500.00 that had come in was returned, $0.01 that had gone out came back. 2 wait. https://sluice.example/",
    );
  });

  it("fits into an SMS at the largest amounts that there are", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    for (const sign of [1, -1])
      expect(
        render({ inInCents: sign * largest, outInCents: sign * largest, waitingCount: 5_000 }).sms.length,
      ).toBeLessThanOrEqual(MAX_SMS_LENGTH);
  });
});
