import type { ExternalAccountType } from "@/lib/contract/account";
import { numberWords } from "@/lib/engine/words/number-words";

/** What an account outside is to its owner. */
export const TYPE_WORDS: Record<ExternalAccountType, string> = {
  DEPOSITORY: "Money at the bank",
  LIABILITY: "Owed",
  INVESTMENT: "Investments",
};

/** On the button: `Connect two accounts`. */
export function chosenWords(count: number): string {
  if (count === 0) return "Connect accounts";
  return `Connect ${numberWords(count)} ${count === 1 ? "account" : "accounts"}`;
}
