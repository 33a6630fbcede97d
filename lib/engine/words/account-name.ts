import type { AccountNames } from "@/lib/contract/views/rule-parts";

/** What an account is called in sentences. One that cannot be read any more is told without its id, which says nothing. */
export function accountName(names: AccountNames, accountId: string): string {
  const account = names[accountId];
  if (!account) return "an account that is gone";
  return account.isClosed ? `${account.name} (closed)` : account.name;
}

/** `five pods`, `two accounts`: pods only where all of them are. */
export function areAllPods(names: AccountNames, accountIds: readonly string[]): boolean {
  return accountIds.every((id) => names[id]?.kind === "POD");
}
