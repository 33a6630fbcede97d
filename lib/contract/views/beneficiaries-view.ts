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
  viewer: { canAdd: boolean };
  time: TimeContext;
}

export type AddBeneficiaryResult =
  | { kind: "DONE" }
  /** `field`: which one is wrong, where one is. */
  | { kind: "REFUSED"; message: string; field?: "name" };
