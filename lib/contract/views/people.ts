/** The roles of members (decisions page, "Names, addresses, words"). */
export type MemberRole = "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER";

/** A member as other members see them. */
export interface PersonView {
  id: string;
  name: string;
  role: MemberRole;
}
