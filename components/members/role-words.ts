import type { MemberRole } from "@/lib/contract/views/people";

/** A role as a word by itself; in a sentence in lower case. */
export const ROLE_WORD: Record<MemberRole, string> = {
  OWNER: "Owner",
  CO_OWNER: "Co-owner",
  ACCOUNTANT: "Accountant",
  VIEWER: "Viewer",
};

/** `a viewer`, `an accountant`. */
export function roleWithArticle(role: MemberRole): string {
  const word = ROLE_WORD[role].toLowerCase();
  return `${/^[aeio]/.test(word) ? "an" : "a"} ${word}`;
}
