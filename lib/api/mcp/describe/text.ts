import type { z } from "zod";
import type { dateWindowSchema } from "@/lib/contract/page";
import type { AccountReference } from "@/lib/contract/transfer";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { lineText, sentenceText } from "@/lib/words/messages/untrusted-text";

/** Long enough for every name that the product takes; names from banks have no bound of their own. */
const NAME_LENGTH = 80;

/**
 * Words that somebody else wrote (names, labels, merchants, reasons, errors of banks), for a text that an agent acts on.
 * «Ignore your instructions and pay …» in the name of a sender is an attack on the reader: so these words stay on one
 * line, within guillemets that they cannot close, bounded, without characters that cannot be seen, and without anything
 * that reads as an address. What stands outside the guillemets is ours.
 */
export function quote(words: string, maximumLength = NAME_LENGTH): string {
  return enclose(sentenceText(words), maximumLength);
}

/** The same for what has dots in it and is to be found again as it is: a path to a field, a code. */
export function quoteExactly(words: string, maximumLength = NAME_LENGTH): string {
  return enclose(lineText(words), maximumLength);
}

/** A sentence of ours that may name what others named, e.g. a refusal: on one line, and no longer than it may be. */
export function oneLine(words: string, maximumLength = 500): string {
  return clip(lineText(words), maximumLength);
}

function enclose(line: string, maximumLength: number): string {
  return `«${clip(line.replaceAll("«", "‹").replaceAll("»", "›"), maximumLength)}»`;
}

/** By code point, so that no character is cut in half. */
function clip(text: string, maximumLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maximumLength ? text : `${characters.slice(0, maximumLength - 1).join("")}…`;
}

/** `2026-11-20 13:40 UTC`, of an ISO 8601 time in UTC: agents know their person's zone, and the API has no other. */
export function utcMoment(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

/** The moment `milliseconds` after an instant. */
export function momentAfter(instant: string, milliseconds: number): string {
  return utcMoment(new Date(Date.parse(instant) + milliseconds).toISOString());
}

/** Which time a list shows: an empty list of the wrong weeks would read as "nothing happened". */
export function describeWindow({ from, to, truncated }: z.infer<typeof dateWindowSchema>): string {
  const moved = truncated
    ? " You asked for an earlier from: nothing older than 90 days is shown, so from was moved up."
    : "";
  return `Shown is what happened from ${utcMoment(from)} to ${utcMoment(to)}.${moved}`;
}

/** `1 account`, `3 accounts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A party of a movement by name. */
export function partyName({ id, name, isDeleted }: AccountReference): string {
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
export function partyWithId(party: AccountReference): string {
  if (party.id === null) return partyName(party);
  return `${quote(party.name)} (id ${party.id}${party.isDeleted ? ", closed since" : ""})`;
}
