/**
 * Goal: the trial of mandates that anyone can run tries what it says, and holds. Method: the same trial in a small form: fewer
 * calls, and one of its processes killed.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { playTrial } from "@/proof/mandates/play-trial";

const SMALL = { processes: 3, restarts: 1, callsPerKey: 28 };
let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("lib/testing/product-process-main.ts");
}, 60_000);
afterAll(() => program.remove());

it("no mandate lets more through over processes, restarts, a month's end and odd amounts", {
  timeout: 120_000,
}, async () => {
  const tried = await playTrial({ program: program.path, ...SMALL, hasFault: false });
  expect(tried.problems).toEqual([]);
  expect(tried.kills).toBe(1);
  expect(tried.oddRefused).toBe(5 * 4);
  const limits = tried.mandates.flatMap((mandate) => mandate.limits);
  expect(limits.filter(({ movedInCents, limitInCents }) => movedInCents > limitInCents)).toEqual([]);
  // Each asked for more than it may: otherwise nothing was tried.
  for (const { accepted, waited } of tried.mandates) {
    expect(accepted).toBeGreaterThan(0);
    expect(waited).toBeGreaterThan(0);
  }
});
