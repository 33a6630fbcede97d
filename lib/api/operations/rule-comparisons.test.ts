import { describe, expect, it } from "vitest";
import { ruleOperations } from "@/lib/api/operations/rules";
import { countComparisons, MAXIMUM_COMPARISONS } from "@/lib/contract/rules/comparison-count";
import { toDraft } from "@/lib/contract/rules/definition-to-draft";
import { MAXIMUM_DEFINITION_LENGTH } from "@/lib/contract/rules/draft";
import { toDefinition } from "@/lib/contract/rules/draft-to-definition";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { leastMs } from "@/lib/testing/least-time";

const INCOME = "00000000-0000-4000-8000-000000000001";
const TAXES = "00000000-0000-4000-8000-000000000002";
const ACTION = {
  type: "FIXED",
  sourceAccountId: INCOME,
  destinationAccountId: TAXES,
  amountInCents: 100,
  group: 0,
};
const onDay = { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 };
const twenty = (member: unknown): unknown[] => Array.from({ length: 20 }, () => member);

/** Each list has the permitted length; all of them together hold `steps * 20` comparisons. */
function ruleOf(steps: number, member: unknown = onDay) {
  return {
    name: "Rule",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: INCOME },
    steps: Array.from({ length: steps }, () => ({
      conditions: { any: twenty(member) },
      actions: [ACTION],
    })),
  };
}

function bind(operationId: string, raw: unknown) {
  const row = ruleOperations.find((one) => one.operationId === operationId);
  if (!row) throw new Error(`There is no operation ${operationId}`);
  return row.bind(raw);
}

const PROBLEM = {
  field: "steps",
  message: `must have at most ${MAXIMUM_COMPARISONS} comparisons in all of them together; split the rule`,
};

describe("comparisons in all steps together", () => {
  it("accepts as many as the description says, and refuses one more in words on both writes", () => {
    const most = ruleOf(MAXIMUM_COMPARISONS / 20);
    expect(bind("createRule", most)).toHaveProperty("parsed");
    expect(bind("updateRule", { ...most, id: TAXES })).toHaveProperty("parsed");
    const [first, ...others] = most.steps;
    const oneMore = { ...most, steps: [...others, first, { ...first, conditions: { all: [onDay] } }] };
    expect(bind("createRule", oneMore)).toEqual({ problems: [PROBLEM] });
    expect(bind("updateRule", { ...oneMore, id: TAXES })).toEqual({ problems: [PROBLEM] });
  });

  it("counts comparisons at every depth", () => {
    expect(countComparisons(ruleOf(1, { all: [onDay, { any: [onDay, onDay] }] }))).toBe(60);
  });

  it("leaves a stored rule with more readable, and its editor says what to remove", () => {
    const stored = ruleDefinitionSchema.parse(ruleOf(6));
    expect(toDefinition(toDraft(stored, "America/New_York"))).toEqual({
      kind: "INCOMPLETE",
      problems: [{ part: "steps", message: `The steps ${PROBLEM.message}.` }],
    });
    const smaller = { ...stored, steps: stored.steps.slice(0, 5) };
    expect(toDefinition(toDraft(smaller, "America/New_York")).kind).toBe("RULE");
  });

  it.each([
    ["without members", () => ({ any: [], all: [] })],
    ["that hold no list", () => ({ all: 1 })],
    ["that hold null", () => ({ any: null })],
    ["of groups without members", () => ({ any: [{ all: [] }] })],
  ])("refuses thousands of groups %s without trying every shape of each", (_, group) => {
    const body = ruleOf(20, { any: twenty(group()) });
    expect(bind("createRule", body)).toEqual({ problems: [PROBLEM] });
    expect(leastMs(() => bind("createRule", body))).toBeLessThan(50);
  });

  it("refuses the largest body of malformed comparisons without trying every shape of each", () => {
    const body = ruleOf(20, { all: twenty({ all: twenty({}) }) });
    const length = JSON.stringify(body.steps[0]).length;
    const steps = body.steps.slice(0, Math.max(1, Math.floor(MAXIMUM_DEFINITION_LENGTH / length)));
    expect(bind("createRule", { ...body, steps })).toEqual({ problems: [PROBLEM] });
    expect(leastMs(() => bind("createRule", { ...body, steps }))).toBeLessThan(50);
  });
});
