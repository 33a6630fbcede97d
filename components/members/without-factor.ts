import type { MemberRowView } from "@/lib/contract/views/members-view";
import { joinWords } from "@/lib/engine/words/phrases";

const NAMED = 3;

/** `2 members have neither: you and Tomas.` Empty for readers who are not shown how members sign in. */
export function withoutFactor(
  members: readonly Pick<MemberRowView, "name" | "isYou" | "security">[],
): string {
  const without = members.filter(
    ({ security }) => security && security.passkeyCount === 0 && !security.hasAuthenticator,
  );
  if (without.length === 0) return "";
  const named = without.slice(0, NAMED).map(({ name, isYou }) => (isYou ? "you" : name));
  const rest = without.length - named.length;
  const who = joinWords(rest > 0 ? [...named, `${rest} more`] : named);
  return without.length === 1
    ? `1 member has neither: ${who}.`
    : `${without.length} members have neither: ${who}.`;
}
