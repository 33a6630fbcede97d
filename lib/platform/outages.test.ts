import { describe, expect, it } from "vitest";
import { createLog } from "@/lib/platform/log";
import { Outages } from "@/lib/platform/outages";
import { TestClock } from "@/lib/testing/services";

/** Goal: a single unanswered call is a warning however long another caller's failure lingers; what lasts is an error. */
function arrange() {
  const clock = new TestClock(new Date("2026-11-30T12:00:00Z"));
  const lines: string[] = [];
  const log = createLog("silent");
  for (const level of ["info", "warn", "error"] as const) {
    log[level] = (_about: unknown, message?: string) => void lines.push(`${level}: ${message}`);
  }
  const outages = new Outages({ clock, log }, "the bank");
  const fail = (key: string) => outages.failed(key, clock.now(), new Error("timeout"), {});
  return { clock, lines, outages, fail, pass: (seconds: number) => clock.advance(seconds * 1_000) };
}

describe("one unanswered call", () => {
  it("is a warning beside a failure of someone who is not asked again, once others were answered", () => {
    const { lines, outages, fail, pass } = arrange();
    fail("north");
    pass(120);
    outages.answered("harbor");
    fail("south");
    expect(lines).toEqual(["warn: the bank does not answer", "warn: the bank does not answer"]);
  });

  it("is a warning hours after the failure before it", () => {
    const { lines, outages, fail, pass } = arrange();
    fail("north");
    outages.answered("harbor");
    pass(7_200);
    fail("north");
    expect(lines).toEqual(["warn: the bank does not answer", "warn: the bank does not answer"]);
  });
});

describe("an outage that lasts", () => {
  it("is an error after a minute if the same caller fails again, though others are answered", () => {
    const { lines, outages, fail, pass } = arrange();
    fail("north");
    pass(60);
    outages.answered("harbor");
    fail("north");
    expect(lines).toEqual(["warn: the bank does not answer", "error: the bank still does not answer"]);
  });

  it("is an error if callers fail one after another and nobody is answered, however seldom they ask", () => {
    const { lines, fail, pass } = arrange();
    fail("north");
    pass(1_800);
    fail("south");
    expect(lines).toEqual(["warn: the bank does not answer", "error: the bank still does not answer"]);
  });

  it("prints one line a minute for many callers that fail once each", () => {
    const { lines, outages, fail, pass } = arrange();
    for (let second = 0; second < 119; second += 1) {
      fail(`organization ${second}`);
      outages.answered("harbor");
      pass(1);
    }
    expect(lines).toEqual(["warn: the bank does not answer", "warn: the bank does not answer"]);
  });
});
