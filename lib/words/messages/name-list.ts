import { joinWords } from "@/lib/engine/words/phrases";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const NAMED = 5;

/** Names of somebody else's in a sentence: `A, B and C`; beyond five the rest is counted: `A, B, C, D, E and 3 more`. */
export function nameList(names: readonly string[]): string {
  const named = names.slice(0, NAMED).map(isolatedName);
  const rest = names.length - named.length;
  return joinWords(rest > 0 ? [...named, `${rest} more`] : named);
}
