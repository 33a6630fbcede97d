import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";

/**
 * Steps that never run, by their index: one without conditions, the same conditions, or a wider comparison stands
 * before them. What is not simple to see is not claimed.
 */
export function unreachableSteps({ steps }: Pick<RuleDefinition, "steps">): number[] {
  return steps.flatMap((step, index) =>
    steps.slice(0, index).some((earlier) => takesAllOf(earlier.conditions, step.conditions)) ? [index] : [],
  );
}

/** Whether `earlier` holds wherever `later` does. */
function takesAllOf(earlier: RuleConditions | null, later: RuleConditions | null): boolean {
  if (earlier === null) return true;
  if (later === null) return false;
  if (JSON.stringify(earlier) === JSON.stringify(later)) return true;
  const wide = onlyComparison(earlier);
  return wide !== null && requiredComparisons(later).some((narrow) => implies(narrow, wide));
}

/** The one comparison that the conditions come to; null where they are more. */
function onlyComparison(conditions: RuleConditions): RuleComparison | null {
  const [first, ...more] = "all" in conditions ? conditions.all : conditions.any;
  return first && more.length === 0 && "fact" in first ? first : null;
}

/** Comparisons without which the conditions cannot hold. */
export function requiredComparisons(conditions: RuleConditions): RuleComparison[] {
  if ("all" in conditions) return conditions.all.filter((member) => "fact" in member);
  const only = onlyComparison(conditions);
  return only ? [only] : [];
}

/** Whether what satisfies `narrow` satisfies `wide`: the same number against two bounds. */
function implies(narrow: RuleComparison, wide: RuleComparison): boolean {
  if (JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (!("value" in narrow && "value" in wide) || !isSameFact(narrow, wide)) return false;
  if (typeof narrow.value !== "number" || typeof wide.value !== "number") return false;
  const inner = bounds(narrow.operator, narrow.value);
  const outer = bounds(wide.operator, wide.value);
  return inner !== null && outer !== null && inner.from >= outer.from && inner.to <= outer.to;
}

function isSameFact(one: RuleComparison, other: RuleComparison): boolean {
  const accountOf = (comparison: RuleComparison) => ("accountId" in comparison ? comparison.accountId : null);
  return one.fact === other.fact && accountOf(one) === accountOf(other);
}

/** The whole numbers that satisfy it; null for «anything but», which is no range. */
function bounds(operator: RuleComparison["operator"], value: number): { from: number; to: number } | null {
  const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number;
  switch (operator) {
    case "EQUAL":
      return { from: value, to: value };
    case "GREATER_THAN":
      return { from: value + 1, to: most };
    case "GREATER_THAN_OR_EQUAL":
      return { from: value, to: most };
    case "LESS_THAN":
      return { from: least, to: value - 1 };
    case "LESS_THAN_OR_EQUAL":
      return { from: least, to: value };
    case "NOT_EQUAL":
      return null;
  }
}
