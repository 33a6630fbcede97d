import type { FinancialProfile, SpendingMonth } from "@/lib/contract/financial-profile";
import type { SpendingCategory } from "@/lib/contract/transactions";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The windows of the profile page. */
export const PROFILE_DAYS = [30, 90, 365] as const;
export type ProfileDays = (typeof PROFILE_DAYS)[number];

/** Everything on the financial profile page. */
export interface ProfileView {
  profile: FinancialProfile;
  /** The months of the cash flow. */
  spendingMonths: SpendingMonth[];
  /** The largest payees in the category `OTHER`. */
  otherPayees: { name: string; amountInCents: number }[];
  /** A cached profile, some minutes old (`generatedAt`), because computing it takes long. */
  isKept: boolean;
  days: ProfileDays;
  hrefs: Record<ProfileDays, string>;
  time: TimeContext;
}

/** The eight categories as a person reads them. */
export const CATEGORY_WORDS: Record<SpendingCategory, string> = {
  HOUSING_AND_UTILITIES: "Housing and utilities",
  FOOD_AND_DRINK: "Food and drink",
  TRANSPORTATION: "Transportation",
  SHOPPING: "Shopping",
  HEALTH_AND_PERSONAL_CARE: "Health and personal care",
  ENTERTAINMENT_AND_TRAVEL: "Entertainment and travel",
  DEBT_AND_FEES: "Debt and fees",
  OTHER: "Everything else",
};
