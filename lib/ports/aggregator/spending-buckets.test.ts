import { expect, it } from "vitest";
import { TEMPLATES } from "@/lib/ports/aggregator/sandbox/institutions";
import { spendingBucket } from "@/lib/ports/aggregator/spending-buckets";

/** Categories of Plaid's public taxonomy, one or more of each primary one. */
it.each([
  ["BANK_FEES_ATM_FEES", "DEBT_AND_FEES"],
  ["BANK_FEES_OVERDRAFT_FEES", "DEBT_AND_FEES"],
  ["ENTERTAINMENT_MUSIC_AND_AUDIO", "ENTERTAINMENT_AND_TRAVEL"],
  ["FOOD_AND_DRINK_GROCERIES", "FOOD_AND_DRINK"],
  ["GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES", "SHOPPING"],
  ["GENERAL_SERVICES_INSURANCE", "OTHER"],
  ["GENERAL_SERVICES_AUTOMOTIVE", "TRANSPORTATION"],
  ["GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT", "OTHER"],
  ["HOME_IMPROVEMENT_FURNITURE", "HOUSING_AND_UTILITIES"],
  ["INCOME_WAGES", "OTHER"],
  ["LOAN_PAYMENTS_CREDIT_CARD_PAYMENT", "DEBT_AND_FEES"],
  ["LOAN_PAYMENTS_MORTGAGE_PAYMENT", "HOUSING_AND_UTILITIES"],
  ["MEDICAL_DENTAL_CARE", "HEALTH_AND_PERSONAL_CARE"],
  ["MEDICAL_VETERINARY_SERVICES", "OTHER"],
  ["PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS", "HEALTH_AND_PERSONAL_CARE"],
  ["RENT_AND_UTILITIES_RENT", "HOUSING_AND_UTILITIES"],
  ["TRANSFER_IN_DEPOSIT", "OTHER"],
  ["TRANSFER_OUT_SAVINGS", "OTHER"],
  ["TRANSPORTATION_GAS", "TRANSPORTATION"],
  ["TRAVEL_FLIGHTS", "ENTERTAINMENT_AND_TRAVEL"],
  ["SOMETHING_THAT_IS_NEW", "OTHER"],
])("%s is %s", (detailed, bucket) => {
  expect(spendingBucket(detailed)).toBe(bucket);
});

it("maps nothing that is not known yet", () => {
  expect(spendingBucket(null)).toBeNull();
});

it("knows every category that the sandbox uses", () => {
  const payees = TEMPLATES.flatMap(({ streams }) =>
    streams.flatMap((stream) => (stream.kind === "OFTEN" ? stream.payees : [stream.payee])),
  );
  const spent = payees.filter(({ category }) =>
    /^(FOOD|TRANSPORTATION|TRAVEL|RENT|MEDICAL|BANK)/.test(category),
  );
  expect(spent.length).toBeGreaterThan(10);
  expect(spent.filter(({ category }) => spendingBucket(category) === "OTHER")).toEqual([]);
});
