import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";

/** The schema bounds its depth. */
export type ConditionNode = RuleComparison | { all: ConditionNode[] } | { any: ConditionNode[] };

export function membersOf(node: Exclude<ConditionNode, RuleComparison>): ConditionNode[] {
  return "all" in node ? node.all : node.any;
}

/** Every comparison of a step's conditions with its path, in the order of the trace (`ComparisonTrace`). */
export function comparisonsOf(
  conditions: RuleConditions | null,
): { path: string; comparison: RuleComparison }[] {
  if (conditions === null) return [];
  const walk = (node: ConditionNode, path: string): { path: string; comparison: RuleComparison }[] => {
    if ("fact" in node) return [{ path, comparison: node }];
    return membersOf(node).flatMap((member, index) =>
      walk(member, path === "" ? String(index) : `${path}.${index}`),
    );
  };
  return walk(conditions, "");
}
