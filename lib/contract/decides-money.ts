import type { MemberRole } from "@/lib/contract/views/people";

/** Whoever has one decides about money, so giving or taking it needs a proof of who asks. */
export function decidesMoney(role: MemberRole): boolean {
  return role === "OWNER" || role === "CO_OWNER";
}
