import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { MemberResult, RemovalView } from "@/lib/contract/views/members-view";
import type { MemberRole } from "@/lib/contract/views/people";

/** The server actions of the members page. */
export interface MemberActions extends PresenceActions {
  inviteMember: (input: { email: string; role: MemberRole }) => Promise<MemberResult>;
  resendInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  withdrawInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  changeMemberRole: (input: { userId: string; role: MemberRole }) => Promise<MemberResult>;
  previewRemoval: (input: { userId: string }) => Promise<{ kind: "PREVIEW"; view: RemovalView } | Refused>;
  removeMember: (input: { userId: string }) => Promise<MemberResult>;
  askSecondFactor: (input: { isAsked: boolean }) => Promise<MemberResult>;
}
