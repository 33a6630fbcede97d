import type {
  Confirmation,
  ConfirmationRequest,
  OpenGatesResult,
} from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

export type CloseGatesResult = { kind: "CLOSED" } | Refused;

/** The server actions behind the gates. */
export interface GatesActions {
  closeGates: (previous: CloseGatesResult | null, form: FormData) => Promise<CloseGatesResult>;
  beginOpening: (input: {
    closingId: string;
  }) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  openGates: (input: { closingId: string; confirmation: Confirmation }) => Promise<OpenGatesResult>;
}
