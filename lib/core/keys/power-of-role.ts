import type { AssistantPower } from "@/lib/contract/views/assistants-view";
import type { MemberRole } from "@/lib/contract/views/people";

/** What an assistant does, in one word, whose member has this role; null: they have left. See `permissionsOfRole`. */
export function powerOfRole(role: MemberRole | null): AssistantPower {
  if (role === null) return "NOTHING";
  return role === "OWNER" || role === "CO_OWNER" ? "ASKS" : "READS";
}
