import { describe, expect, it } from "vitest";
import { bankingDateOf, bankingTimeOf } from "@/lib/contract/banking-days";
import { nextRefreshAt, retryAt } from "@/lib/core/connections/apply-refresh";
import { providerText } from "@/lib/core/connections/apply-transactions";

const ID = "019a9c52-7a10-7c3e-8d21-5b7f0c4e0000";

describe("a connection's next refresh", () => {
  it.each([
    ["in the night before a banking day", "2026-11-20T07:00:00Z", "2026-11-20"],
    ["during a banking day", "2026-11-20T15:00:00Z", "2026-11-23"],
    ["on a Saturday", "2026-11-21T08:00:00Z", "2026-11-23"],
    ["before Thanksgiving", "2026-11-25T20:00:00Z", "2026-11-27"],
  ])("%s is early on the next banking day", (_, now, date) => {
    const next = nextRefreshAt(ID, new Date(now));
    expect([bankingDateOf(next), bankingTimeOf(next)]).toEqual([date, "05:00"]);
  });

  it("has its own minute, before 6:30", () => {
    const times = Array.from({ length: 200 }, (_, index) =>
      bankingTimeOf(
        nextRefreshAt(
          `${ID.slice(0, -4)}${(index * 331).toString(16).padStart(4, "0")}`,
          new Date("2026-11-20T15:00:00Z"),
        ),
      ),
    );
    expect(new Set(times).size).toBeGreaterThan(50);
    expect(times.every((time) => time >= "05:00" && time < "06:30")).toBe(true);
  });

  it("is retried at growing intervals after failures, and never stops", () => {
    const now = new Date("2026-11-20T15:00:00Z");
    const minutes = [1, 2, 3, 4, 5, 6, 100].map((failures) => (+retryAt(failures, now) - +now) / 60_000);
    expect(minutes).toEqual([1, 5, 30, 120, 360, 360, 360]);
  });
});

it("an institution's text becomes one line without deceptive characters", () => {
  expect(providerText("  CAFE\n\u202eMOON\u0000 4 ", 100)).toBe("CAFE MOON  4");
  expect(providerText("😀".repeat(300), 200)).toBe("😀".repeat(200));
});
