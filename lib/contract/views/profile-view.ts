import type {
  FinancialProfile,
  SpendingMonth,
  StreamFrequency,
  StreamStatus,
} from "@/lib/contract/financial-profile";
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
  OTHER: "Other categories",
};

export const DAYS_IN_A_MONTH = 365.25 / 12;

/** Occurrences per month of average length. */
const TIMES_A_MONTH: Record<StreamFrequency, number> = {
  WEEKLY: DAYS_IN_A_MONTH / 7,
  EVERY_OTHER_WEEK: DAYS_IN_A_MONTH / 14,
  TWICE_A_MONTH: 2,
  MONTHLY: 1,
  QUARTERLY: 1 / 3,
  YEARLY: 1 / 12,
  IRREGULAR: 0,
};

/** What a stream amounts to per month; 0 once it has ended. The total of bills is the sum of these. */
export function monthlyAmount(stream: {
  averageInCents: number;
  frequency: StreamFrequency;
  status: StreamStatus;
}): number {
  return stream.status === "ENDED" ? 0 : Math.round(stream.averageInCents * TIMES_A_MONTH[stream.frequency]);
}
