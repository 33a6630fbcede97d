import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";

/** One position of the stored and the recalculated plan. Null if that plan has nothing there. */
export interface ComparedMove {
  stored: PlannedMove | null;
  recomputed: PlannedMove | null;
  /** Whether amount, accounts, outcome and all arithmetic are equal. */
  agrees: boolean;
}

export interface PlanComparison {
  isSame: boolean;
  /** In execution order. */
  moves: ComparedMove[];
  /** Differences other than moves. */
  otherDifferences: ("STEP_MATCHED" | "COMPARISONS" | "ACTIONS_NOT_REACHED")[];
}

/** Whether two plans are equal. Ignores the order of keys, which jsonb changes, but not the order of lists. */
export function comparePlans(stored: RulePlan, recomputed: RulePlan): PlanComparison {
  const length = Math.max(stored.moves.length, recomputed.moves.length);
  const moves = Array.from({ length }, (_, index): ComparedMove => {
    const [before, after] = [stored.moves[index] ?? null, recomputed.moves[index] ?? null];
    return { stored: before, recomputed: after, agrees: isSameValue(before, after) };
  });
  const otherDifferences: PlanComparison["otherDifferences"] = [];
  if (stored.stepIndexMatched !== recomputed.stepIndexMatched) otherDifferences.push("STEP_MATCHED");
  if (!isSameValue(stored.steps, recomputed.steps)) otherDifferences.push("COMPARISONS");
  if (stored.actionsNotReached !== recomputed.actionsNotReached) otherDifferences.push("ACTIONS_NOT_REACHED");
  return {
    isSame: otherDifferences.length === 0 && moves.every((move) => move.agrees),
    moves,
    otherDifferences,
  };
}

/** Deep equality of JSON values. Plans are only a few levels deep. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isSameValue(value, other[index]))
    );
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
