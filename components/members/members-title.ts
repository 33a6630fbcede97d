import { decidesMoney } from "@/lib/contract/decides-money";
import type { MemberRowView } from "@/lib/contract/views/members-view";

const WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** `Two people can approve`; what the page is about, as a sentence. */
export function membersTitle(members: readonly Pick<MemberRowView, "role" | "isYou">[]): string {
  const deciders = members.filter(({ role }) => decidesMoney(role));
  if (deciders.length === 1) return deciders[0]?.isYou ? "Only you can approve" : "One person can approve";
  return `${WORDS[deciders.length] ?? deciders.length} people can approve`;
}
