import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import { movesOf } from "@/lib/engine/forecast/forecast-arrivals";

/** What can be approved of a plan; null where there is none, or one that would break off, which nobody can approve. */
export function approvableMoves(plan: RulePlan | null | undefined): PlannedMove[] | null {
  if (!plan || plan.moves.some((move) => move.outcome === "FAILED")) return null;
  return movesOf(plan);
}
