import type { LiveView } from "@/lib/contract/browser/live";
import type { Theme } from "@/lib/contract/browser/setting";
import type { MemberRole } from "@/lib/contract/members";
import type { TimeContext } from "@/lib/contract/time-context";

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
  /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
  shown: string;
  organization: { id: string; name: string };
  /** All organizations of this member, the current one included. */
  organizations: { id: string; name: string }[];
  user: { name: string; email: string; role: MemberRole };
  /** Proposals that wait for this member's decision. */
  waitingCount: number;
  /** Versions of rules that wait for their activation. */
  rulesCount: number;
  /** Of the data this page was rendered from: when they differ, it is out of date. */
  stamps: LiveView["stamps"];
  /** Null while the gates are open. */
  closedGates: ClosedGatesView | null;
  /** Where the first steps of a new organization continue; null once ended, and for readers who may not take them. */
  onboardingHref: string | null;
  /** True until a real bank is configured: the shell then says that no real money moves. */
  isSandbox: boolean;
  /** Whether members may simulate the outside world, because none of it is real. */
  hasSandboxPage: boolean;
  /** Whether cards are offered: nothing invented is, beside real money. */
  hasCards: boolean;
  theme: Theme;
}
