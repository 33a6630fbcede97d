/** Most power first. */
export const MEMBER_ROLES: readonly MemberRole[] = ["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"];

/**
 * The roles that a member may give and take away (decisions page, "Members"): owners every one, co-owners those that
 * decide nothing. The database says the same (`may_manage_role`).
 */
export function managedRoles(role: MemberRole): readonly MemberRole[] {
  if (role === "OWNER") return MEMBER_ROLES;
  return role === "CO_OWNER" ? ["ACCOUNTANT", "VIEWER"] : [];
}

export const ROLE_WORD: Readonly<Record<MemberRole, string>> = {
  OWNER: "Owner",
  CO_OWNER: "Co-owner",
  ACCOUNTANT: "Accountant",
  VIEWER: "Viewer",
};

/** What each role is for, in a few words. */
export const ROLE_DOES: Readonly<Record<MemberRole, string>> = {
  OWNER: "Approves money and says who decides",
  CO_OWNER: "Approves money, makes rules and keys",
  ACCOUNTANT: "Sees the books, changes nothing",
  VIEWER: "Sees everything, changes nothing",
};

export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** Waiting at a time, in one organization. */
export const MAXIMUM_INVITATIONS = 20;
/** Of one organization, those who are invited included. */
export const MAXIMUM_MEMBERS = 200;
export const MAXIMUM_EMAIL_LENGTH = 254;
export const MAXIMUM_PERSON_NAME_LENGTH = 200;
export const MINIMUM_PASSWORD_LENGTH = 10;
export const MAXIMUM_PASSWORD_LENGTH = 200;

/** Whoever has one decides about money, so giving or taking it needs a proof of who asks. */
export function decidesMoney(role: MemberRole): boolean {
  return role === "OWNER" || role === "CO_OWNER";
}

/** The roles of members (decisions page, "Names, addresses, words"). */
export type MemberRole = "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER";

/** A member as other members see them. */
export interface PersonView {
  id: string;
  name: string;
  role: MemberRole;
}
