import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/views/time-context";

export interface MemberRowView {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  isYou: boolean;
  joinedAt: string;
  /** Null: they set Sluice up, or its operator added them. */
  invitedByName: string | null;
  /** How they sign in, for those who decide; null for other readers. */
  security: { passkeyCount: number; hasAuthenticator: boolean; lastSeenAt: string | null } | null;
  /** Roles that the reader may give them; empty where they may not change it. */
  roles: readonly MemberRole[];
  canRemove: boolean;
}

export interface InvitationRowView {
  id: string;
  email: string;
  role: MemberRole;
  invitedByName: string;
  isByYou: boolean;
  invitedAt: string;
  expiresAt: string;
  /** Its week is over, or whoever sent it may not invite any more: the link works no longer. */
  isOver: boolean;
  canChange: boolean;
}

/** The page of an organization's members. */
export interface MembersView {
  organizationName: string;
  /** Owners first, then as they came. */
  members: MemberRowView[];
  invitations: InvitationRowView[];
  viewer: { roles: readonly MemberRole[]; hasPasskey: boolean };
  /** Whether a second factor is asked of every member. */
  asksSecondFactor: boolean;
  /** In real time: people sign in and links run out whatever the sandbox's clock says. */
  time: TimeContext;
}

/** What ends when somebody goes, and what stays. */
export interface RemovalView {
  sessionCount: number;
  /** Assistants that they connected; at most ten are named. */
  assistantNames: string[];
  assistantCount: number;
  /** Keys that they made and that still work; at most ten are named. */
  keys: { name: string; href: string }[];
  keyCount: number;
}

export type MemberResult = { kind: "DONE" } | Refused;

/** What somebody with a link is asked. */
export interface InvitationView {
  organizationName: string;
  invitedByName: string;
  email: string;
  role: MemberRole;
  isSandbox: boolean;
  /**
   * `NEW`: nobody has this address yet. `KNOWN`: somebody has and must sign in. `MEMBER`: they are signed in.
   * `OTHER`: somebody else is signed in at this browser.
   */
  reader: { kind: "NEW" } | { kind: "KNOWN" } | { kind: "MEMBER" } | { kind: "OTHER"; email: string };
}

/** Why the reader has not joined yet; after joining, the action redirects. */
export type AcceptAnswer =
  | Refused
  /** The password is right; the account also needs the code of an authenticator app. */
  | { kind: "CODE_NEEDED"; problem: string | null };

/** The page that says whom to ask. */
export interface HelpView {
  organizationName: string;
  /** Of whoever runs this server; null where they gave none. */
  supportEmail: string | null;
  /** Owners of the organization, the first ten. */
  owners: { name: string; email: string; isYou: boolean }[];
  /** Address of this server without its scheme. */
  hostName: string;
  /** Of what went wrong, where the reader came with one. */
  requestId: string | null;
  /** What runs here, as far as members may know it. */
  installation: {
    version: string;
    isSandbox: boolean;
    mailWay: "PROVIDER" | "MAILBOX" | "NONE";
    smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  };
}
