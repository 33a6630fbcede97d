import type { Confirmation, ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type { StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { Refused } from "@/lib/contract/refused";

/** The server actions of a step-up: proves that the member means this act. */
export interface PresenceActions {
  beginPresence: (act: StepUpAct) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  confirmPresence: (input: {
    act: StepUpAct;
    confirmation: Confirmation;
  }) => Promise<{ kind: "DONE" } | Refused>;
}
