import type { MemberRole } from "@/lib/contract/members";
import { visibleName } from "@/lib/words/messages/untrusted-text";

export function assistantsHref(): string {
  return "/settings/assistants";
}

/** What an assistant may do with its member's current role. `NOTHING`: the member has left. */
export type AssistantPower = "ASKS" | "READS" | "NOTHING";

/** What an assistant may do, given its member's role; null: the member has left. See `permissionsOfRole`. */
export function powerOfRole(role: MemberRole | null): AssistantPower {
  if (role === null) return "NOTHING";
  return role === "OWNER" || role === "CO_OWNER" ? "ASKS" : "READS";
}

/**
 * A program's own name as pages show it: one line, truncated, without invisible characters (a bidirectional override
 * would reorder the surrounding text). Pages do not linkify names, so dots may stay.
 */
export function nameOnPage(name: string): string {
  return visibleName(name) || "A program without a name";
}
