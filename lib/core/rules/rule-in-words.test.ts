import { expect, test } from "vitest";
import { ruleInWords, triggerInWords } from "@/lib/core/rules/rule-in-words";
import { SPLIT_RULE } from "@/lib/testing/rules/example-rules";

test("an agent reads the sentence of the rule's page, with ids instead of untrusted names", () => {
  const words = ruleInWords(SPLIT_RULE);
  expect(words).toContain(`account ${SPLIT_RULE.trigger.accountId}`);
  expect(words).not.toContain("a removed account");
  expect(triggerInWords(SPLIT_RULE.trigger)).toBe(
    `when money arrives in account ${SPLIT_RULE.trigger.accountId}`,
  );
});
