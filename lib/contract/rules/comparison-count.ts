import type { ErrorDetail } from "@/lib/contract/error";

/**
 * Comparisons of a rule, in all its steps together. Not in the schema that reads stored rules: one that has more stays
 * readable and keeps running, and is refused when it is written again.
 */
export const MAXIMUM_COMPARISONS = 100;

/**
 * Counts the comparisons of a rule that nothing has checked yet; stops above the maximum. A group without members counts
 * as one: it is refused, but thousands of them would take the schema as long as comparisons.
 * @param rule any JSON value
 */
export function countComparisons(rule: unknown, maximum = MAXIMUM_COMPARISONS): number {
  let count = 0;
  const waiting: unknown[] = listOf(rule, "steps").map((step) => fieldOf(step, "conditions"));
  while (waiting.length > 0 && count <= maximum) {
    const node = waiting.pop();
    const members = [...listOf(node, "all"), ...listOf(node, "any")];
    if (members.length === 0 && isGroup(node)) count += 1;
    for (const member of members) {
      if (isGroup(member)) waiting.push(member);
      else count += 1;
    }
  }
  return count;
}

/**
 * The problem of a rule with too many comparisons; empty without one. Called before the schema reads what a caller sent,
 * because trying every shape of thousands of wrong comparisons takes seconds.
 */
export function comparisonProblems(rule: unknown): ErrorDetail[] {
  if (countComparisons(rule) <= MAXIMUM_COMPARISONS) return [];
  const message = `must have at most ${MAXIMUM_COMPARISONS} comparisons in all of them together; split the rule`;
  return [{ field: "steps", message }];
}

function isGroup(node: unknown): boolean {
  return fieldOf(node, "all") !== undefined || fieldOf(node, "any") !== undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
