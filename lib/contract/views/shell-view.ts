import type { GatesActions } from "@/lib/contract/views/gates-view";
import type { LiveView } from "@/lib/contract/views/live-view";
import type { MemberRole } from "@/lib/contract/views/people";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What a member chose; `SYSTEM` follows the device. Kept in the cookie `theme`. */
export type Theme = "LIGHT" | "DARK" | "SYSTEM";

/** The list pages that have a place in the navigation. */
export type NavigationId =
  | "OVERVIEW"
  | "APPROVALS"
  | "ACCOUNTS"
  | "MOVEMENTS"
  | "RULES"
  | "CARDS"
  | "PROFILE"
  | "API_KEYS"
  | "ASSISTANTS"
  | "WEBHOOKS"
  | "AUDIT"
  | "REFERENCE"
  | "SANDBOX"
  | "MEMBERS"
  | "SETTINGS";

/** Closed gates: nothing of the organization moves until an owner or co-owner opens them. */
export interface ClosedGatesView {
  closingId: string;
  /** Business time. */
  closedAt: string;
  /** Null: the reader. */
  closedByName: string | null;
  /** Whether the reader opens with a passkey. */
  hasPasskey: boolean;
  time: TimeContext;
}

/** What surrounds every page of a signed-in member. */
export interface ShellView {
  /** What every request from this page says that the page showed (lib/contract/shown.ts). */
  shown: string;
  organization: { id: string; name: string };
  /** All organizations of this member, the current one included. */
  organizations: { id: string; name: string }[];
  user: { name: string; email: string; role: MemberRole };
  /** Proposals that wait for this member's decision. */
  waitingCount: number;
  /** Of what this page was rendered from: when they differ, it is out of date. */
  stamps: LiveView["stamps"];
  /** Null while the gates are open. */
  closedGates: ClosedGatesView | null;
  /** Where the first steps of a new organization go on; null once they were ended, and for whoever may not take them. */
  onboardingHref: string | null;
  /** True until a real bank is configured: the shell says that there is no real money. */
  isSandbox: boolean;
  /** Whether members may drive the world outside, because nothing of it is real. */
  hasSandboxPage: boolean;
  theme: Theme;
}

/** The server actions behind what surrounds a page. */
export interface ShellActions {
  gates: GatesActions;
  signOut: () => Promise<void>;
  /** Sets the cookie `theme`. */
  setTheme: (theme: Theme) => Promise<void>;
  /** Sets the cookie `keys`: whether single keys act in this browser. */
  setSingleKeys: (isOn: boolean) => Promise<void>;
}
