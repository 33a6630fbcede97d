import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import type { RemovalView } from "@/lib/views/members/list-members";

export type MemberResult = { kind: "DONE" } | Refused;

/** The server actions of the members page. */
export interface MemberActions {
  inviteMember: (input: { email: string; role: MemberRole }) => Promise<MemberResult>;
  resendInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  withdrawInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  changeMemberRole: (input: { userId: string; role: MemberRole }) => Promise<MemberResult>;
  previewRemoval: (input: { userId: string }) => Promise<{ kind: "PREVIEW"; view: RemovalView } | Refused>;
  removeMember: (input: { userId: string }) => Promise<MemberResult>;
  askSecondFactor: (input: { isAsked: boolean }) => Promise<MemberResult>;
}
