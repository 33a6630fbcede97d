import type { SpendingCategory } from "@/lib/contract/transactions";

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
