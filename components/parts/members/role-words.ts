import { type MemberRole, ROLE_WORD } from "@/lib/contract/members";

/** `a viewer`, `an accountant`. */
export function roleWithArticle(role: MemberRole): string {
  const word = ROLE_WORD[role].toLowerCase();
  return `${/^[aeio]/.test(word) ? "an" : "a"} ${word}`;
}
