import { expect, it } from "vitest";
import { listRetries } from "@/components/docs/retry-rows";

it("says when a receiver that was down is tried again, up to the last time", () => {
  expect(listRetries()).toEqual([
    ["1", "none", "at once"],
    ["2", "5 s", "5 s"],
    ["3", "5 min", "5 min 5 s"],
    ["4", "30 min", "35 min 5 s"],
    ["5", "2 h", "2 h 35 min"],
    ["6", "5 h", "7 h 35 min"],
    ["7", "10 h", "17 h 35 min"],
    ["8", "6 h", "23 h 35 min"],
  ]);
});
