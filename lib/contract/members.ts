/** Most powerful first. */
export const MEMBER_ROLES: readonly MemberRole[] = ["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"];

/**
 * The roles that a member may give and take away (docs/behavior/organizations.md): owners every role, co-owners those that
 * decide nothing. `may_manage_role` in the database agrees.
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

/** In a sentence: `Make Jonas a co-owner`. */
export const ROLE_WITH_ARTICLE: Readonly<Record<MemberRole, string>> = {
  OWNER: "an owner",
  CO_OWNER: "a co-owner",
  ACCOUNTANT: "an accountant",
  VIEWER: "a viewer",
};

/** Each role in a few words. */
export const ROLE_DOES: Readonly<Record<MemberRole, string>> = {
  OWNER: "Approves money and says who decides",
  CO_OWNER: "Approves money, manages rules and keys",
  ACCOUNTANT: "Sees the books, changes nothing",
  VIEWER: "Sees everything, changes nothing",
};

export const INVITATION_DAYS = 7;
export const INVITATION_LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60_000;
/** Open invitations of one organization. */
export const MAXIMUM_INVITATIONS = 20;
/** Members of one organization, invited ones included. */
export const MAXIMUM_MEMBERS = 200;
export const MAXIMUM_EMAIL_LENGTH = 254;
export const MAXIMUM_PERSON_NAME_LENGTH = 200;
export const MINIMUM_PASSWORD_LENGTH = 10;
export const MAXIMUM_PASSWORD_LENGTH = 200;

/** These roles decide about money, so giving or taking one needs step-up. */
export function decidesMoney(role: MemberRole): boolean {
  return role === "OWNER" || role === "CO_OWNER";
}

/** The roles of members (docs/behavior/organizations.md). */
export type MemberRole = "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER";

/** A member as other members see them. */
export interface PersonView {
  id: string;
  name: string;
  role: MemberRole;
}
