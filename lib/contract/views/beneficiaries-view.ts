import type { NewBeneficiary } from "@/lib/contract/beneficiary";
import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/views/time-context";

export interface BeneficiaryRowView {
  id: string;
  name: string;
  beneficiaryType: "INDIVIDUAL" | "BUSINESS";
  /** Owns a new account where nobody else is named. */
  isDefault: boolean;
  addedAt: string;
  accountCount: number;
  /** At most twelve are named. */
  accounts: { name: string; href: string }[];
}

/** The page of those who own the money, in law. */
export interface BeneficiariesView {
  beneficiaries: BeneficiaryRowView[];
  viewer: { canChange: boolean };
  time: TimeContext;
}

/** The server actions of the page. */
export interface BeneficiaryActions {
  addBeneficiary: (input: NewBeneficiary) => Promise<AddBeneficiaryResult>;
  renameBeneficiary: (input: { beneficiaryId: string; name: string }) => Promise<AddBeneficiaryResult>;
  removeBeneficiary: (input: { beneficiaryId: string }) => Promise<AddBeneficiaryResult>;
  setDefaultBeneficiary: (input: { beneficiaryId: string }) => Promise<AddBeneficiaryResult>;
}

export type AddBeneficiaryResult = { kind: "DONE" } | Refused;
