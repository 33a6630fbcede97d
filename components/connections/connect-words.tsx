import { Crumb } from "@/components/ui/crumb";
import type { ExternalAccountType } from "@/lib/contract/account";
import { numberWords } from "@/lib/engine/words/number-words";

const ACCOUNTS = { href: "/accounts", label: "Accounts" };

export function ConnectCrumb({ way, here }: { way?: { href: string; label: string }; here: string }) {
  return <Crumb ways={way ? [ACCOUNTS, way] : [ACCOUNTS]} here={here} />;
}

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
