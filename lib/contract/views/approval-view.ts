import type { AccountKind, AccountRefView } from "@/lib/contract/views/account-ref-view";
import type { MemberRole, PersonView } from "@/lib/contract/views/people";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Where a proposal stands, as members see it. The API shows `EXPIRED` as a denial; here the two are told apart. */
export type ApprovalStatus =
  | "WAITING"
  | "ON_ITS_WAY"
  | "SETTLED"
  | "FAILED"
  | "RETURNED"
  | "CANCELLED"
  | "DENIED"
  | "EXPIRED"
  /** The key that asked was revoked before anybody decided. */
  | "REVOKED";

/** One end of the proposed movement with its money. Amounts are null where the balance is not known. */
export interface ApprovalAccountView extends AccountRefView {
  /** Not held in Sluice: connected accounts, debts and counterparties. */
  isOutside: boolean;
  nowInCents: number | null;
  afterInCents: number | null;
  floorInCents: number | null;
}

/** Who proposed it, and what became of their earlier proposals. */
export interface AskerView {
  kind: "API_KEY" | "ASSISTANT" | "MEMBER";
  name: string;
  madeByName: string | null;
  madeAt: string | null;
  lastUsedAt: string | null;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first, at most the last 47: what the tally draws. */
  recent: ("APPROVED" | "DENIED" | "EXPIRED")[];
}

/** A balance before and after. Together they sum to zero change, unless a balance is not known. */
export interface BalanceRowView {
  accountId: string | null;
  name: string;
  kind: AccountKind;
  isOutside: boolean;
  nowInCents: number | null;
  changeInCents: number;
  afterInCents: number | null;
}

/** `CLEAR`, worth a look, or in the way of an approval. */
export type CheckOutcome = "CLEAR" | "LOOK" | "BLOCKS";

/** One check: its outcome and the facts it rests on; the page writes the sentences. */
export type CheckView = { outcome: CheckOutcome } & (
  | { kind: "KEY_LIMIT"; keyName: string; limitInCents: number | null; amountInCents: number }
  | { kind: "ENOUGH_MONEY"; accountName: string; availableInCents: number | null; amountInCents: number }
  | {
      kind: "FLOOR";
      accountName: string;
      floorInCents: number;
      /** What stays available: also without what is on its way out already. */
      afterInCents: number;
      onItsWayInCents: number;
    }
  | { kind: "KNOWN_ROUTE"; transferCount: number; firstAt: string | null; lastAt: string | null }
  | { kind: "SIMILAR_LATELY"; transferCount: number; lastAt: string | null }
  /** `usualLowInCents` … `usualHighInCents` is the middle half of the route's amounts. */
  | {
      kind: "USUAL_AMOUNT";
      usualLowInCents: number;
      usualHighInCents: number;
      /** This amount divided by the median of the route. */
      timesMedian: number;
    }
);

/** How a decision was confirmed. */
export type ConfirmationMethod = "PASSKEY" | "PASSWORD" | "RECOVERY_CODE" | "RECENT_SIGN_IN";

export interface DecisionView {
  kind: "APPROVED" | "DENIED";
  byName: string;
  byViewer: boolean;
  at: string;
  method: ConfirmationMethod;
  /** E.g. "Mara’s MacBook", when a passkey confirmed it. */
  passkeyName: string | null;
  /** A denial's reason, for members only. */
  note: string | null;
}

/** What happened to the proposal, what is happening, and what will; in order of time. */
export type HistoryItemView =
  | { kind: "PROPOSED"; at: string; byName: string }
  | {
      kind: "NOTIFIED";
      at: string;
      channel: "EMAIL" | "SMS";
      isReminder: boolean;
      /** First names for email, masked numbers (`••31`) for SMS. */
      recipients: string[];
      deliveredCount: number;
      failedCount: number;
    }
  | { kind: "WAITING"; deciderNames: string[] }
  | { kind: "APPROVED" | "DENIED"; at: string; byName: string; byViewer: boolean; method: ConfirmationMethod }
  | { kind: "EXPIRED"; at: string }
  /** The key that asked was revoked, so nothing is left to decide. */
  | { kind: "REVOKED"; at: string; byName: string | null }
  | { kind: "ON_ITS_WAY"; at: string }
  | { kind: "SETTLED"; at: string }
  | { kind: "FAILED" | "RETURNED"; at: string; code: string }
  | { kind: "CANCELLED"; at: string; byName: string }
  | { kind: "SETTLEMENT_AHEAD" };

/** The request as the caller sent it; the credential is never part of it. */
export interface SentRequestView {
  method: string;
  path: string;
  headers: { name: string; value: string }[];
  /** The parsed body, in the caller's order of fields. */
  body: { [field: string]: string | number | boolean | null };
}

/** The proposal to turn to after this one. */
export interface NextProposalView {
  href: string;
  amountInCents: number;
  destinationName: string;
  expiresAt: string;
}

/** Everything that the approval page shows of one proposed transfer. */
export interface ApprovalView {
  id: string;
  /** `7c1e…44d0` */
  shortId: string;
  /** Runs of rules become a second kind. */
  kind: "TRANSFER";
  status: ApprovalStatus;
  amountInCents: number;
  /** Text on the statement, when the transfer goes over ACH. */
  achLabel: string | null;
  source: ApprovalAccountView;
  destination: ApprovalAccountView;
  /** The caller's words, verbatim; null when none were sent. */
  reason: string | null;
  asker: AskerView;
  balances: BalanceRowView[];
  /** Null when one of the balances is not known. */
  together: { nowInCents: number; changeInCents: number; afterInCents: number } | null;
  checks: CheckView[];
  request: SentRequestView | null;
  history: HistoryItemView[];
  createdAt: string;
  expiresAt: string;
  decision: DecisionView | null;
  settlesOver: "BOOKS" | "ACH";
  /** Banking day on which an ACH transfer should settle, `YYYY-MM-DD`. */
  expectedOn: string | null;
  /** When it settled, failed, was returned or cancelled. */
  endedAt: string | null;
  /** Why it failed or came back: the API's code and one sentence that says whether money moved. */
  error: { code: string; sentence: string } | null;
  /** What the viewer is about to decide; see `DecisionSubject.digest`. */
  digest: string;
  viewer: {
    canDecide: boolean;
    role: MemberRole;
    hasPasskey: boolean;
    /** No passkey, but signed in less than 5 minutes ago. */
    mayDecideWithoutConfirmation: boolean;
  };
  /** Owners and co-owners: who decides when the viewer may not. */
  deciders: PersonView[];
  next: NextProposalView | null;
  /** Proposals that still wait, without this one. */
  otherWaitingCount: number;
  /** Accepted, but neither submitted to the bank nor leased for it; and the viewer is an owner or co-owner. */
  canCancel: boolean;
  /** Where a prefilled transfer back starts; null when it is not offered. */
  moveBackHref: string | null;
  /** Opaque; changes whenever anything on this page would. Compared with what `refreshPath` answers. */
  version: string;
  time: TimeContext;
}
