import type { KeyAlert } from "@/lib/contract/api-key";
import type { Permission } from "@/lib/contract/permissions";
import type { Refused } from "@/lib/contract/refused";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type { ApprovalStatus, AskerView, ProposalSubjectView } from "@/lib/contract/views/approval-view";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";

import type { TimeContext } from "@/lib/contract/views/time-context";

/** An account as the pages of keys speak of it. */
export interface KeyAccountView {
  id: string;
  name: string;
  kind: AccountKind;
  /** Not held in Sluice. */
  isOutside: boolean;
  canBeSource: boolean;
  isClosed: boolean;
}

/** A rule as the pages of keys speak of it. */
export interface KeyRuleView {
  id: string;
  name: string;
  isActive: boolean;
  /** Its active version sends money to accounts outside Sluice. */
  sendsOutside: boolean;
}

/** Where a key stands. */
export type KeyStateView =
  | { kind: "ACTIVE" }
  /** Replaced, and still working for a while. */
  | { kind: "ENDING"; endsAt: string }
  | { kind: "REVOKED"; at: string; because: "MEMBER" | "REPLACED" | "OPERATOR"; byName: string | null };

/** What is known of a key wherever it is shown. Its text is nowhere. */
export interface KeyFactsView {
  id: string;
  name: string;
  /** The first characters of its text: `sluice_9Qm4vX`. */
  prefix: string;
  permissions: Permission[];
  /** The most that it may set moving in a day without a person; null: no cap. */
  dailyCapInCents: number | null;
  madeByName: string;
  madeAt: string;
  lastUsedAt: string | null;
  state: KeyStateView;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first. */
  recent: AskerView["recent"];
}

export interface KeyRowView extends KeyFactsView {
  href: string;
}

/** The list of keys. */
export interface KeysView {
  keys: KeyRowView[];
  /** Of the first so many a row is drawn; the title is about all of them. */
  drawn: number;
  /** To where each has a row. */
  wholeHref: string;
  /** Revoked keys, whether shown or not. */
  revokedCount: number;
  showsRevoked: boolean;
  toggleRevokedHref: string;
  accounts: KeyAccountView[];
  rules: KeyRuleView[];
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** Why a route gives what it gives. */
export type MostReason =
  /** Everything that the source has. */
  | { kind: "ALL" }
  /** Nobody approves, so the floor stays. */
  | { kind: "ABOVE_FLOOR"; floorInCents: number }
  /** Counted on an earlier row with this source. */
  | { kind: "SHARED" }
  | { kind: "NOT_KNOWN" }
  /** No transfer of these two accounts is possible: which of the two forbids it. */
  | { kind: "IMPOSSIBLE"; side: "SOURCE" | "DESTINATION" | "BOTH_OUTSIDE" };

export interface MostRowView {
  sourceName: string;
  /** Null: any account. */
  destinationName: string | null;
  /** Of each transfer; null: none. */
  limitInCents: number | null;
  reason: MostReason;
  /** Null: not known, or counted elsewhere. */
  inCents: number | null;
}

/** A rule that a key runs, or that what it moves sets off. */
export interface MostRuleRowView {
  id: string;
  href: string;
  name: string;
  /** Where money arrives that sets it off; null: the key runs it. */
  setOffAtName: string | null;
  /** What one run would move of the balances now; null where nobody knows, and of what is set off. */
  oneRunInCents: number | null;
  reason: /** Run again and again, all that these accounts hold. */
    | { kind: "ALL"; sourceNames: string[] }
    /** Its limits end it before that. */
    | { kind: "LIMITED"; limitInCents: number }
    | { kind: "SHARED" }
    | { kind: "NOT_KNOWN" }
    | { kind: "IMPOSSIBLE" };
  /** Null: not known, or counted elsewhere. */
  inCents: number | null;
}

/** The most that a key could move in a day with the rules that follow, the same money counted once. */
export interface MostView {
  rows: MostRowView[];
  rules: MostRuleRowView[];
  /** Rules beyond those listed; the totals hold them. */
  moreRules: number;
  /** Rows beyond those listed; the totals hold them. */
  moreRows: number;
  /** Null when a balance is not known. */
  totalInCents: number | null;
  /** The part of it that could end outside Sluice, over whichever of the routes. */
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

/** What a key did in the last 30 days of the organization's calendar. */
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

/** What a key may set moving in a day alone, and what it has. */
export interface KeyCapView {
  /** Whether anything that it starts goes on without a person: else there is nothing to bound. */
  isOf: "WHAT_IT_MOVES" | "NOTHING";
  /** Null: no cap. */
  capInCents: number | null;
  /** Of today, since there was a cap. */
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
  /** Null where it moves nothing itself. */
  most: MostView | null;
  proposals: KeyProposalView[];
  waitingCount: number;
  activity: KeyActivityView;
  requestsThisMinute: number;
  requestsPerMinute: number;
  cap: KeyCapView;
  /** Unusual use that its owners were told of, newest first. */
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

/** What the page for a new key needs. */
export interface NewKeyView {
  accounts: KeyAccountView[];
  /** Those that were not deleted. */
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
  /** Accepted, and neither booked nor with the bank. */
  stopped: RevocationEffectView;
}

/** The only answer that ever holds the text of a key. */
export type NewKeyResult = { kind: "CREATED"; id: string; text: string } | Refused;

/** The server actions behind the pages of keys. */
export interface PresenceActions {
  beginPresence: () => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  confirmPresence: (confirmation: Confirmation) => Promise<{ kind: "DONE" } | Refused>;
}
