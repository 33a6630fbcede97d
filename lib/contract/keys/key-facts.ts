import type { AccountKind } from "@/lib/contract/account";
import type { RequesterView } from "@/lib/contract/approvals/approval";
import type { Permission } from "@/lib/contract/permissions";

/** An account, as shown on pages of keys. */
export interface KeyAccountView {
  id: string;
  name: string;
  kind: AccountKind;
  /** Not held in Sluice. */
  isOutside: boolean;
  canBeSource: boolean;
  isClosed: boolean;
}

/** A rule, as shown on pages of keys. */
export interface KeyRuleView {
  id: string;
  name: string;
  isActive: boolean;
  /** Its active version sends money to accounts outside Sluice. */
  sendsOutside: boolean;
}

/** State of a key. */
export type KeyStateView =
  | { kind: "ACTIVE" }
  /** Replaced, but still working for a while. */
  | { kind: "ENDING"; endsAt: string }
  | { kind: "REVOKED"; at: string; because: "MEMBER" | "REPLACED" | "OPERATOR"; byName: string | null };

/** A key wherever it is shown. Its secret is stored nowhere. */
export interface KeyFactsView {
  id: string;
  name: string;
  /** The first characters of its secret: `sluice_9Qm4vX`. */
  prefix: string;
  permissions: Permission[];
  /** The most it may move within 24 hours without approval; null: no cap. */
  dailyCapInCents: number | null;
  createdByName: string;
  createdAt: string;
  lastUsedAt: string | null;
  state: KeyStateView;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first. */
  recent: RequesterView["recent"];
}

/** A rule that a key runs, or that money moved by it starts. */
export interface MostRuleRowView {
  id: string;
  href: string;
  name: string;
  /** The account where arriving money starts it; null: the key runs it. */
  setOffAtName: string | null;
  /** What one run would move from the current balances; null if unknown, and for a rule that is started. */
  oneRunInCents: number | null;
  reason: /** Run repeatedly, everything that these accounts hold. */
    | { kind: "ALL"; sourceNames: string[] }
    /** Its limits end it earlier. */
    | { kind: "LIMITED"; limitInCents: number }
    | { kind: "SHARED" }
    | { kind: "NOT_KNOWN" }
    | { kind: "IMPOSSIBLE" };
  /** Null: unknown, or counted elsewhere. */
  inCents: number | null;
}
