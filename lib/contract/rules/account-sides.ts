import type { AccountType, ExternalAccountType } from "@/lib/contract/account";

/** Debts cannot give money, and investment accounts take none back over ACH. */
export function canBeSource(type: AccountType, external: ExternalAccountType | null): boolean {
  return type !== "EXTERNAL_ACCOUNT" || external === "DEPOSITORY";
}

/** Outside money enters through an income source; rules route it on, not back. */
export function canBeDestination(type: AccountType): boolean {
  return type !== "INCOME_SOURCE";
}
