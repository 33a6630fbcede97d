import type { MemberRole } from "@/lib/contract/views/people";

/** What a member chose; `SYSTEM` follows the device. Kept in the cookie `theme`. */
export type Theme = "LIGHT" | "DARK" | "SYSTEM";

/** The list pages that have a place in the navigation. */
export type NavigationId =
  | "APPROVALS"
  | "ACCOUNTS"
  | "RULES"
  | "CARDS"
  | "API_KEYS"
  | "ASSISTANTS"
  | "WEBHOOKS"
  | "REFERENCE"
  | "SANDBOX"
  | "MEMBERS"
  | "BENEFICIARIES"
  | "HELP";

/** What surrounds every page of a signed-in member. */
export interface ShellView {
  organization: { id: string; name: string };
  /** All organizations of this member, the current one included. */
  organizations: { id: string; name: string }[];
  user: { name: string; email: string; role: MemberRole };
  /** Proposals that wait for this member's decision. */
  waitingCount: number;
  /** True until a real bank is configured: the shell says that there is no real money. */
  isSandbox: boolean;
  /** Whether members may drive the world outside, because nothing of it is real. */
  hasSandboxPage: boolean;
  theme: Theme;
}

/** The server actions behind the account menu. */
export interface ShellActions {
  signOut: () => Promise<void>;
  switchOrganization: (organizationId: string) => Promise<void>;
  /** Sets the cookie `theme`. */
  setTheme: (theme: Theme) => Promise<void>;
}
