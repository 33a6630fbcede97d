import { expect, test } from "vitest";
import { parseLiveView } from "@/lib/contract/browser/live";

const LIVE = { waitingCount: 2, rulesCount: 1, stamps: { waiting: "a", money: "b", webhooks: "c" } };

test("what the server says waits is what the page shows", () => {
  expect(parseLiveView({ ...LIVE, more: true })).toEqual(LIVE);
});

test.each([
  ["nothing", null],
  ["a text", "sign in"],
  ["no count", { rulesCount: 1, stamps: LIVE.stamps }],
  ["a count that is a text", { ...LIVE, waitingCount: "2" }],
  ["a count below zero", { ...LIVE, waitingCount: -1 }],
  ["half a count", { ...LIVE, waitingCount: 0.5 }],
  ["half a rule", { ...LIVE, rulesCount: 0.5 }],
  ["no stamps", { waitingCount: 2, rulesCount: 1 }],
  ["a stamp that is not text", { ...LIVE, stamps: { ...LIVE.stamps, money: 3 } }],
])("an answer with %s changes nothing on the page", (_, answer) => {
  expect(() => parseLiveView(answer)).toThrow("GET /live");
});
