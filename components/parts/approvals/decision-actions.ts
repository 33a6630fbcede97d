import type { ConfirmationRequest, DecideResult } from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

/** Whether a confirmation could begin, or why not. */
export type BeginConfirmationResult =
  | { kind: "BEGUN"; request: ConfirmationRequest }
  | Extract<DecideResult, { kind: "ALREADY_DECIDED" | "EXPIRED" }>
  | Refused;
