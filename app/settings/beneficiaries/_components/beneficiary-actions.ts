import type { NewBeneficiary } from "@/lib/contract/account";
import type { Refused } from "@/lib/contract/refused";

/** The server actions of the page. */
export interface BeneficiaryActions {
  addBeneficiary: (input: NewBeneficiary) => Promise<AddBeneficiaryResult>;
  renameBeneficiary: (input: { beneficiaryId: string; name: string }) => Promise<AddBeneficiaryResult>;
  removeBeneficiary: (input: { beneficiaryId: string }) => Promise<AddBeneficiaryResult>;
  setDefaultBeneficiary: (input: { beneficiaryId: string }) => Promise<AddBeneficiaryResult>;
}

export type AddBeneficiaryResult = { kind: "DONE" } | Refused;
