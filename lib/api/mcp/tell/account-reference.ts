import { quote } from "@/lib/api/mcp/tell/quote";
import type { AccountReference } from "@/lib/contract/transfer";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/** A party of a movement by name. */
export function tellParty({ id, name, isDeleted }: AccountReference): string {
  const named = name === "" ? "somebody without a name" : quote(name);
  if (id === null) return `${named} (outside the organization)`;
  return isDeleted ? `${named} (closed since)` : named;
}

/** An account that an answer names by its id alone, with its name beside it where the caller may know that. */
export function accountOf(accountId: string, names: AccountNames): string {
  const account = names[accountId];
  if (!account) return `account ${accountId}`;
  return `${quote(account.name)} (account ${accountId}${account.isClosed ? ", closed" : ""})`;
}

/** The same with its id, for texts about one movement. */
export function tellPartyWithId(party: AccountReference): string {
  if (party.id === null) return tellParty(party);
  return `${quote(party.name)} (id ${party.id}${party.isDeleted ? ", closed since" : ""})`;
}
