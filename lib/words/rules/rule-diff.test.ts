import { describe, expect, it } from "vitest";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { ACCOUNT, act, NAMES, ruleOf, SPLIT_RULE, share } from "@/lib/testing/rules/example-rules";
import { diffRules } from "@/lib/words/rules/rule-diff";

const diff = (before: RuleDefinition, after: RuleDefinition) =>
  diffRules(before, after, NAMES).map(({ part, before: was, after: is }) => [part, was, is]);
const rest = act({ type: "REMAINDER", destinationAccountId: ACCOUNT.operating, group: 1 });
const one = ruleOf({ steps: [{ actions: [share(25, ACCOUNT.taxes), rest] }] });

describe("what a version changes", () => {
  it("is empty between a rule and itself", () => {
    expect(diff(SPLIT_RULE, SPLIT_RULE)).toEqual([]);
  });

  it("matches actions by destination, with old and new words", () => {
    const other = ruleOf({ steps: [{ actions: [share(27, ACCOUNT.taxes), rest] }] });
    expect(diff(one, other)).toEqual([["Taxes", "25%", "27%"]]);
  });

  it("lists added and removed actions, and a new step in full", () => {
    const other = ruleOf({
      steps: [
        {
          conditions: {
            all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 }],
          },
          actions: [share(25, ACCOUNT.taxes), share(10, ACCOUNT.profit)],
        },
        { actions: [rest] },
      ],
    });
    expect(diff(one, other)).toEqual([
      ["Step 1", "Always", "$1,000.00 or more"],
      ["Step 1, Profit", null, "10% from Client payments"],
      ["Step 1, Operating", "the rest from Client payments", null],
      ["Step 2", null, "Otherwise: the rest to Operating"],
    ]);
  });

  it("lists changes of trigger, source, order and label", () => {
    const other: RuleDefinition = {
      ...one,
      trigger: { type: "MANUAL", accountId: ACCOUNT.client },
      steps: one.steps.map((step) => ({
        ...step,
        actions: step.actions.map((action) =>
          action.type === "PERCENTAGE" ? { ...action, group: 2, description: "Tax" } : action,
        ),
      })),
    };
    expect(diff(one, other)).toEqual([
      ["Trigger", "When money arrives in Client payments", "When someone runs it, from Client payments"],
      ["Taxes", "25%, without a label", "25%, as “Tax”"],
      ["Order", "Taxes, then Operating", "Operating, then Taxes"],
    ]);
  });

  it("always lists added, removed and renamed limits and labels", () => {
    const limits = [{ id: "monthly", period: "MONTH" as const, amountInCents: 60_000 }];
    expect(diff(one, { ...one, limits })).toEqual([["Limit monthly", null, "$600.00 a month"]]);
    const capped = (limitId: string): RuleDefinition => ({
      ...one,
      limits: [{ id: limitId, period: "MONTH", amountInCents: 60_000 }],
      steps: one.steps.map((step) => ({
        ...step,
        actions: step.actions.map((action) =>
          action.type === "PERCENTAGE" ? { ...action, limitId } : action,
        ),
      })),
    });
    expect(diff(one, capped("a"))).toEqual([["Taxes", "25%", "25%, at most $600.00 a month"]]);
    expect(diff(capped("a"), capped("b"))).toEqual([
      ["Limit a", "$600.00 a month", null],
      ["Limit b", null, "$600.00 a month"],
    ]);
    const labeled = (description: string | null): RuleDefinition => ({
      ...one,
      steps: one.steps.map((step) => ({
        ...step,
        actions: step.actions.map((action) => ({ ...action, description })),
      })),
    });
    expect(diff(labeled("Tax"), labeled(null))).toContainEqual([
      "Taxes",
      "25%, as “Tax”",
      "25%, without a label",
    ]);
  });

  it("always lists differences without words of their own", () => {
    const steps = one.steps.map((step) => ({
      ...step,
      actions: step.actions.map((action) => ({ ...action, group: action.group + 1 })),
    }));
    expect(diff(one, { ...one, steps })).toEqual([
      ["Details", null, "A change that is only visible in JSON."],
    ]);
  });
});
