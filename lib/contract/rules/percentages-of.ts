import type { RuleAction } from "@/lib/contract/rules/action";

/** The total percentage that each group shares out of each source and base. */
export function percentagesOf(actions: readonly RuleAction[]) {
  const totals = new Map<string, { group: number; sourceAccountId: string; total: number }>();
  for (const action of actions) {
    if (action.type !== "PERCENTAGE") continue;
    const { group, sourceAccountId } = action;
    const key = `${group} ${sourceAccountId} ${action.of}`;
    const before = totals.get(key)?.total ?? 0;
    // In ten-thousandths, the smallest step: 33.3333 three times plus the rest must add up to exactly 100.
    const total = (Math.round(before * 10_000) + Math.round(action.percentage * 10_000)) / 10_000;
    totals.set(key, { group, sourceAccountId, total });
  }
  return totals.values();
}
