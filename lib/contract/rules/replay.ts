import type { Refused } from "@/lib/contract/refused";

/** Answer to *Replay*. */
export type ReplayResult =
  | {
      kind: "SAME";
      /** Amounts that match. */
      count: number;
      at: string;
    }
  | { kind: "DIFFERENT"; differences: ReplayDifference[]; at: string }
  | Refused;

export type ReplayDifference =
  | {
      kind: "AMOUNT";
      /** From 1. */
      place: number;
      storedInCents: number | null;
      recomputedInCents: number | null;
    }
  | { kind: "OTHER"; what: "STEP_MATCHED" | "COMPARISONS" | "ACTIONS_NOT_REACHED" };
