import type { SpendingCategory } from "@/lib/contract/transactions";

/**
 * Maps Plaid's personal finance categories (its public taxonomy of 16 primary and about 100 detailed categories, both
 * versions) to our eight buckets. Most follow their primary category.
 */
const BY_PRIMARY = new Map<string, SpendingCategory>([
  ["BANK_FEES", "DEBT_AND_FEES"],
  ["ENTERTAINMENT", "ENTERTAINMENT_AND_TRAVEL"],
  ["FOOD_AND_DRINK", "FOOD_AND_DRINK"],
  ["GENERAL_MERCHANDISE", "SHOPPING"],
  ["GENERAL_SERVICES", "OTHER"],
  ["GOVERNMENT_AND_NON_PROFIT", "OTHER"],
  ["HOME_IMPROVEMENT", "HOUSING_AND_UTILITIES"],
  ["INCOME", "OTHER"],
  ["LOAN_DISBURSEMENTS", "OTHER"],
  ["LOAN_PAYMENTS", "DEBT_AND_FEES"],
  ["MEDICAL", "HEALTH_AND_PERSONAL_CARE"],
  ["OTHER", "OTHER"],
  ["PERSONAL_CARE", "HEALTH_AND_PERSONAL_CARE"],
  ["RENT_AND_UTILITIES", "HOUSING_AND_UTILITIES"],
  ["TRANSFER_IN", "OTHER"],
  ["TRANSFER_OUT", "OTHER"],
  ["TRANSPORTATION", "TRANSPORTATION"],
  ["TRAVEL", "ENTERTAINMENT_AND_TRAVEL"],
]);

/** Detailed categories that differ from their primary one. */
const BY_DETAILED = new Map<string, SpendingCategory>([
  ["LOAN_PAYMENTS_MORTGAGE_PAYMENT", "HOUSING_AND_UTILITIES"],
  ["GENERAL_SERVICES_AUTOMOTIVE", "TRANSPORTATION"],
  // Veterinarians are listed as medical, but treat no member of the household.
  ["MEDICAL_VETERINARY_SERVICES", "OTHER"],
]);

const LONGEST_FIRST = [...BY_PRIMARY.keys()].sort((left, right) => right.length - left.length);

/** The bucket of a detailed category; `OTHER` for an unknown one, null for none. */
export function spendingBucket(detailed: string | null): SpendingCategory | null {
  if (detailed === null) return null;
  const exact = BY_DETAILED.get(detailed);
  if (exact) return exact;
  const primary = LONGEST_FIRST.find((name) => detailed === name || detailed.startsWith(`${name}_`));
  return (primary === undefined ? undefined : BY_PRIMARY.get(primary)) ?? "OTHER";
}
