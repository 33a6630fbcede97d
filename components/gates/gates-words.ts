import { formatInSentence } from "@/components/time/format-in-sentence";
import type { GatesView } from "@/lib/contract/views/gates-view";

/** `Mara or Jonas`; many are not named. */
export function deciderWords(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (first === undefined) return "An owner";
  if (second === undefined) return first;
  return rest.length === 0 ? `${first} or ${second}` : `Any of ${names.length} owners and co-owners`;
}

/** The one line under the title. */
export function gatesLede({ closed, deciderNames, time }: GatesView): string {
  if (!closed) {
    return "Closing all gates stops keys, assistants, rules, cards and what has not been sent, until an owner or co-owner opens them again.";
  }
  const who = closed.closedByName ?? "You";
  return `${who} closed all gates ${formatInSentence(closed.closedAt, time)}. Keys, assistants and rules can look, but no money leaves an account until ${deciderWords(deciderNames)} opens them again.`;
}
