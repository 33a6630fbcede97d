import { expect, test } from "vitest";
import { timeZoneProblem } from "@/lib/contract/organization";

test.each([
  "America/New_York",
  "America/Argentina/Buenos_Aires",
  "Asia/Kolkata",
  "Europe/Berlin",
  "UTC",
  "Etc/UTC",
])("%s is taken", (name) => expect(timeZoneProblem(name)).toBeNull());

test.each([
  ["EST", "must be the IANA name of an area: write America/New_York for EST"],
  ["est", "must be the IANA name of an area: write America/New_York for est"],
  ["PST8PDT", "must be the IANA name of an area: write America/Los_Angeles for PST8PDT"],
  ["US/Eastern", "must be the IANA name of an area: write America/New_York for US/Eastern"],
  ["Japan", "must be the IANA name of an area: write Asia/Tokyo for Japan"],
])("%s is refused, naming the zone that was meant", (name, problem) => {
  expect(timeZoneProblem(name)).toBe(problem);
});

test.each(["Etc/GMT+5", "+05:00", "Mars/Olympus", "America/Nowhere", "", "GMT0"])("%s is refused", (name) => {
  expect(timeZoneProblem(name)).toMatch(/^must be the IANA name of an area/);
});

test("every area that this machine knows is taken", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((name) => timeZoneProblem(name) !== null)).toEqual([]);
});
