import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";

/** An incoming amount from which, or up to which, a rule does something else. */
export interface IncomingThreshold {
  atInCents: number;
  /** Of the step, from 0; null: the trigger's own minimum. */
  stepIndex: number | null;
}

type Node = RuleComparison | { all: Node[] } | { any: Node[] };

/** Where a slider of incoming amounts has its marks: each amount once, the smallest first. */
export function incomingThresholds({
  trigger,
  steps,
}: Pick<RuleDefinition, "trigger" | "steps">): IncomingThreshold[] {
  const minimum = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  const found: IncomingThreshold[] = minimum > 0 ? [{ atInCents: minimum, stepIndex: null }] : [];
  for (const [stepIndex, step] of steps.entries()) {
    for (const atInCents of amountsOf(step.conditions)) found.push({ atInCents, stepIndex });
  }
  const byAmount = new Map<number, IncomingThreshold>();
  for (const threshold of found) {
    if (!byAmount.has(threshold.atInCents)) byAmount.set(threshold.atInCents, threshold);
  }
  return [...byAmount.values()].sort((one, other) => one.atInCents - other.atInCents);
}

function amountsOf(conditions: RuleConditions | null): number[] {
  const walk = (node: Node): number[] => {
    if ("all" in node) return node.all.flatMap(walk);
    if ("any" in node) return node.any.flatMap(walk);
    if (node.fact !== "INCOMING_AMOUNT" || !("value" in node)) return [];
    return typeof node.value === "number" && node.value > 0 ? [node.value] : [];
  };
  return conditions === null ? [] : walk(conditions);
}
