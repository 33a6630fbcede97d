import type {
  AcceptDateInput,
  AskedBankInput,
  BookLineInput,
  MatchDifferencesInput,
} from "@/lib/contract/reconciliation";
import type { Refused } from "@/lib/contract/refused";

export type ReconciliationResult = { kind: "DONE" } | Refused;

export interface ReconciliationActions {
  reconcileNow: () => Promise<ReconciliationResult>;
  noteBankAsked: (input: AskedBankInput) => Promise<ReconciliationResult>;
  matchDifferences: (input: MatchDifferencesInput) => Promise<ReconciliationResult>;
  acceptDate: (input: AcceptDateInput) => Promise<ReconciliationResult>;
  bookLine: (input: BookLineInput) => Promise<ReconciliationResult>;
}
