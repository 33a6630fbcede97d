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
  /** How they sign in, for readers who decide; null for others. */
  security: { passkeyCount: number; hasAuthenticator: boolean; lastSeenAt: string | null } | null;
  /** Roles the reader may give them; empty if the reader may not change it. */
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
  /** Its week is over, or its sender may no longer invite: the link no longer works. */
  isOver: boolean;
  canChange: boolean;
}

/** The page of an organization's members. */
export interface MembersView {
  organizationName: string;
  /** Owners first, then in order of joining. */
  members: MemberRowView[];
  invitations: InvitationRowView[];
  viewer: { roles: readonly MemberRole[]; hasPasskey: boolean };
  /** Whether every member must have a second factor. */
  asksSecondFactor: boolean;
  /** In real time: sign-ins and links ignore the sandbox's clock. */
  time: TimeContext;
}

/** What ends and what stays when a member is removed. */
export interface RemovalView {
  sessionCount: number;
  /** Assistants that they connected; at most ten are named. */
  assistantNames: string[];
  assistantCount: number;
  /** Active keys they created; at most ten are named. */
  keys: { name: string; href: string }[];
  keyCount: number;
}

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

/** The page that explains whom to ask. */
export interface HelpView {
  organizationName: string;
  /** Of this server's operator; null if not configured. */
  supportEmail: string | null;
  /** Owners of the organization, the first ten. */
  owners: { name: string; email: string; isYou: boolean }[];
  /** Address of this server without its scheme. */
  hostName: string;
  /** Of the failed request, if the reader came from one. */
  requestId: string | null;
  /** What runs here, as far as members may know. */
  installation: {
    version: string;
    isSandbox: boolean;
    mailWay: "PROVIDER" | "MAILBOX" | "NONE";
    smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  };
}
