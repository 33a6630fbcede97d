import { expect, it } from "vitest";
import { SignedOut } from "@/components/act/ask-live";
import { intervalAfter } from "@/components/act/polling";

const FAILED = new Error("GET /live answered 503");

it("asks more slowly after each failure, at least every two minutes, and as before once it is answered", () => {
  expect([1, 2, 3, 4, 5, 9].map((failures) => intervalAfter(FAILED, failures, 5_000))).toEqual([
    10_000, 20_000, 40_000, 80_000, 120_000, 120_000,
  ]);
  expect(intervalAfter(null, 0, 5_000)).toBe(5_000);
});

it("stops asking once the session has ended", () => {
  expect(intervalAfter(new SignedOut("The session has ended"), 1, 5_000)).toBe(false);
});
