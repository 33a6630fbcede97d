import type { ExternalAccountType } from "@/lib/contract/account";

/** What an account is, as its page and its statement say it. */
export const ACCOUNT_KIND_WORDS: Readonly<Record<"POD" | "INCOME_SOURCE" | ExternalAccountType, string>> = {
  POD: "Pod",
  INCOME_SOURCE: "Income source",
  DEPOSITORY: "Bank account outside Sluice",
  INVESTMENT: "Investment outside Sluice",
  LIABILITY: "Owed",
};
