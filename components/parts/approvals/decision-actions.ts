import type {
  ConfirmationRequest,
  DecideInput,
  DecideResult,
  DecisionSubject,
} from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

/** Whether a confirmation could begin, or why not. */
export type BeginConfirmationResult =
  | { kind: "BEGUN"; request: ConfirmationRequest }
  | Extract<DecideResult, { kind: "ALREADY_DECIDED" | "EXPIRED" }>
  | Refused;

/** The two server actions of the approval page. */
export interface DecisionActions {
  beginConfirmation: (subject: DecisionSubject) => Promise<BeginConfirmationResult>;
  decide: (input: DecideInput) => Promise<DecideResult>;
}

/** Outcome of one attempt to cancel an accepted transfer. */
export type CancelResult =
  | { kind: "CANCELLED" }
  /** Meanwhile it went to the bank, or ended. */
  | { kind: "TOO_LATE"; message: string }
  | Refused;

/** The server action behind *Cancel*. */
export type CancelAction = (input: { transferId: string }) => Promise<CancelResult>;
