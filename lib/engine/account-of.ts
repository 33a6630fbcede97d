import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";

/** @throws Error for an account that the facts were not read of: a fault of ours, and no unknown value to wait for. */
export function accountOf(facts: Pick<RuleFacts, "accounts">, accountId: string): AccountFacts {
  const account = facts.accounts[accountId];
  if (!account) throw new Error(`The facts lack the account ${accountId}`);
  return account;
}
