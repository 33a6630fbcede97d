import type { KeyAlert } from "@/lib/contract/api-key";
import type { Permission } from "@/lib/contract/permissions";
import type { Refused } from "@/lib/contract/refused";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type { ApprovalStatus, ProposalSubjectView, RequesterView } from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

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
  madeByName: string;
  madeAt: string;
  lastUsedAt: string | null;
  state: KeyStateView;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first. */
  recent: RequesterView["recent"];
}

export interface KeyRowView extends KeyFactsView {
  href: string;
}

/** The list of keys. */
export interface KeysView {
  keys: KeyRowView[];
  /** Rows are limited; the title covers all of them. */
  drawn: number;
  /** To where each has a row. */
  wholeHref: string;
  /** Revoked keys, shown or not. */
  revokedCount: number;
  showsRevoked: boolean;
  toggleRevokedHref: string;
  accounts: KeyAccountView[];
  rules: KeyRuleView[];
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** Why a route can move this much. */
export type MostReason =
  /** Everything the source has. */
  | { kind: "ALL" }
  /** Without approval the floor holds. */
  | { kind: "ABOVE_FLOOR"; floorInCents: number }
  /** Counted on an earlier row with this source. */
  | { kind: "SHARED" }
  | { kind: "NOT_KNOWN" }
  /** No transfer between these accounts is possible: which of the two prevents it. */
  | { kind: "IMPOSSIBLE"; side: "SOURCE" | "DESTINATION" | "BOTH_OUTSIDE" };

export interface MostRowView {
  sourceName: string;
  /** Null: any account. */
  destinationName: string | null;
  /** Per transfer; null: none. */
  limitInCents: number | null;
  reason: MostReason;
  /** Null: unknown, or counted elsewhere. */
  inCents: number | null;
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

/** The most a key could move in a day with the rules that follow, counting the same money once. */
export interface MostView {
  rows: MostRowView[];
  rules: MostRuleRowView[];
  /** Rules not listed, included in the totals. */
  moreRules: number;
  /** Rows not listed, included in the totals. */
  moreRows: number;
  /** Null if a balance is unknown. */
  totalInCents: number | null;
  /** The part that could leave Sluice, over any route. */
  leavesInCents: number | null;
}

export interface KeyProposalView {
  id: string;
  href: string;
  at: string;
  subject: ProposalSubjectView;
  status: ApprovalStatus;
}

export interface KeyRequestView {
  id: string;
  at: string;
  method: string;
  path: string;
  /** Null: it succeeded. */
  errorCode: string | null;
  /** The caller's words, verbatim. */
  reason: string | null;
}

/** Activity of a key in the last 30 days of the organization's calendar. */
export interface KeyActivityView {
  /** One for each day, oldest first, the last one today. `date` is `YYYY-MM-DD`. */
  days: { date: string; succeeded: number; failed: number }[];
  totalCount: number;
  failedCount: number;
  /** Most frequent first. */
  failures: { code: string; count: number }[];
  /** More requests than are counted. */
  isTruncated: boolean;
  lastRequests: KeyRequestView[];
}

/** The daily cap of what a key may move without approval, and what it has used. */
export interface KeyCapView {
  /** Whether anything it starts runs without approval; otherwise a cap has nothing to limit. */
  isOf: "WHAT_IT_MOVES" | "NOTHING";
  /** Null: no cap. */
  capInCents: number | null;
  /** In the last 24 hours, since the cap was set. */
  usedInCents: number;
}

export interface KeyAlertView {
  id: string;
  at: string;
  alert: KeyAlert;
}

/** The page of one key. */
export interface KeyView {
  key: KeyFactsView;
  accounts: KeyAccountView[];
  rules: KeyRuleView[];
  /** Null if it moves nothing itself. */
  most: MostView | null;
  proposals: KeyProposalView[];
  waitingCount: number;
  activity: KeyActivityView;
  requestsThisMinute: number;
  requestsPerMinute: number;
  cap: KeyCapView;
  /** Unusual use reported to its owners, newest first. */
  alerts: KeyAlertView[];
  replacedBy: { href: string; prefix: string } | null;
  replaces: { href: string; prefix: string } | null;
  viewer: KeyViewerView;
  time: TimeContext;
}

export interface KeyViewerView {
  canDecide: boolean;
  hasPasskey: boolean;
}

/** Data for the page that creates a key. */
export interface NewKeyView {
  accounts: KeyAccountView[];
  /** Rules that were not deleted. */
  rules: KeyRuleView[];
  /** Address of the API, without a trailing slash. */
  apiUrl: string;
  viewer: KeyViewerView;
}

/** Transfers that a revocation would end. */
export interface RevocationEffectView {
  count: number;
  totalInCents: number;
  /** The latest of them. */
  listed: { id: string; subject: ProposalSubjectView }[];
}

export interface RevocationView {
  /** Proposals that wait. */
  denied: RevocationEffectView;
  /** Accepted, but neither booked nor with the bank. */
  stopped: RevocationEffectView;
}

/** The only answer that ever contains a key's secret. */
export type NewKeyResult = { kind: "CREATED"; id: string; text: string } | Refused;
