import { describe, expect, it, onTestFinished } from "vitest";
import { readMoment } from "@/lib/core/exports/read-moment";

/** Protects: `npm run restore -- --to` restores the moment that was meant, or says why it does not. */

describe("a moment with a zone", () => {
  it.each([
    ["2026-11-28T14:05:00Z", "2026-11-28T14:05:00.000Z"],
    ["2026-11-28 14:05:00+01:00", "2026-11-28T13:05:00.000Z"],
    ["2026-11-28 14:05:00+01", "2026-11-28T13:05:00.000Z"],
    ["2026-11-28 14:05:00 -0330", "2026-11-28T17:35:00.000Z"],
    [" 2026-11-28 14:05 UTC ", "2026-11-28T14:05:00.000Z"],
    ["2026-11-28 14:05:00.123456+00", "2026-11-28T14:05:00.123Z"],
  ])("%s is %s", (text, expected) => {
    expect(readMoment(text).toISOString()).toBe(expected);
  });

  it.each([
    ["2026-02-31 10:00:00Z", "does not exist"],
    ["2026-02-31 10:00:00", "does not exist"],
    ["2026-11-28 24:00:00Z", "does not exist"],
    ["2026-13-01 10:00Z", "does not exist"],
    ["2026-11-28 14:05:60Z", "does not exist"],
    ["2026-11-28 14:05:00+25:00", "a zone that does not exist"],
    ["2026-11-28 14:05:00 PM", "must be a moment such as"],
    ["28.11.2026 14:05", "must be a moment such as"],
    ["yesterday", "must be a moment such as"],
    ["", "must be a moment such as"],
  ])("%s is refused: %s", (text, reason) => {
    expect(() => readMoment(text)).toThrow(reason);
  });
});

describe("a moment without a zone", () => {
  /** As on a machine there. */
  function liveIn(zone: string): void {
    const { TZ } = process.env;
    process.env.TZ = zone;
    onTestFinished(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });
  }

  it.each([
    ["Europe/Berlin", "2026-11-28 14:05:00", "2026-11-28T13:05:00.000Z"],
    ["Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
    ["America/St_Johns", "2026-07-01 00:00:00.5", "2026-07-01T02:30:00.500Z"],
  ])("in %s, %s is %s", (zone, text, expected) => {
    liveIn(zone);
    expect(readMoment(text).toISOString()).toBe(expected);
  });

  it.each([
    ["Europe/Berlin", "2026-10-25 02:30:00", "show twice"],
    ["Australia/Lord_Howe", "2026-04-05 01:45:00", "show twice"],
    ["Europe/Berlin", "2026-03-29 02:30:00", "skip"],
  ])("in %s, %s is one that clocks %s", (zone, text, reason) => {
    liveIn(zone);
    expect(() => readMoment(text)).toThrow(reason);
  });
});
