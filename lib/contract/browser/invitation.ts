import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";

/** What someone with an invitation link sees. */
export interface InvitationView {
  organizationName: string;
  invitedByName: string;
  email: string;
  role: MemberRole;
  isSandbox: boolean;
  /**
   * `NEW`: no account has this address. `KNOWN`: one has, and must sign in. `MEMBER`: they are signed in. `OTHER`:
   * someone else is signed in in this browser.
   */
  reader: { kind: "NEW" } | { kind: "KNOWN" } | { kind: "MEMBER" } | { kind: "OTHER"; email: string };
}

/** Why the reader has not joined yet; after joining, the action redirects. */
export type AcceptAnswer =
  | Refused
  /** The password is right; the account also needs the code of an authenticator app. */
  | { kind: "CODE_NEEDED"; problem: string | null };
