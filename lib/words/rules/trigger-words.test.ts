import { expect, it } from "vitest";
import { ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import { stoppedWords } from "@/lib/words/rules/trigger-words";

const accountId = "019a785d-bee8-73bf-865b-3de0645292c2";
const schedule = { frequency: "DAILY", startAt: "2026-01-01T00:00:00Z", time: "09:00", timeZone: "UTC" };

it.each([
  [{ type: "ON_FUNDS_TRANSFERRED", accountId }, "new deposits stay where they arrive"],
  [{ type: "SCHEDULED", accountId, schedule }, "it no longer runs on its schedule"],
  [{ type: "MANUAL", accountId }, "nobody and no program can run it"],
])("what stops with a rule names its own trigger: %j", (trigger, words) => {
  expect(stoppedWords(ruleTriggerSchema.parse(trigger))).toBe(words);
});

it("a rule that cannot be read has no trigger to speak of", () => {
  expect(stoppedWords(undefined)).toBe("nothing runs it anymore");
});
