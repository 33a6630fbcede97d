import { outcomeUnknown } from "@/components/act/answer-lost";
import { Crumb } from "@/components/layout/crumb";
import type { ExternalAccountType } from "@/lib/contract/account";
import { numberWords } from "@/lib/words/rules/number-words";

const ACCOUNTS = { href: "/accounts", label: "Accounts" };

export function ConnectCrumb({ way, here }: { way?: { href: string; label: string }; here: string }) {
  return <Crumb ways={way ? [ACCOUNTS, way] : [ACCOUNTS]} here={here} />;
}

export const CONNECTED_UNKNOWN = outcomeUnknown(
  "it may or may not be connected. Check your accounts before you try again.",
);

export const TYPE_WORDS: Record<ExternalAccountType, string> = {
  DEPOSITORY: "Money at the bank",
  LIABILITY: "Owed",
  INVESTMENT: "Investments",
};

/** `Connect two accounts`. */
export function chosenWords(count: number): string {
  if (count === 0) return "Connect accounts";
  return `Connect ${numberWords(count)} ${count === 1 ? "account" : "accounts"}`;
}
