import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { CardKind, MovementSearch, MovementTab } from "@/lib/contract/movement-search";
import type { SpendingCategory } from "@/lib/contract/transactions";
import type { ApprovalStatus, ConfirmationMethod } from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** A bounded count: with `isMore`, there are more than `count`, or may be. */
export interface BoundedCount {
  count: number;
  isMore: boolean;
}

/** What the amounts of a narrowed list come to, on all of its pages, whatever the status. */
export interface ListedSum {
  /** How many rows have an amount. */
  summedCount: number;
  sumInCents: number;
}

/** State of a movement. `PENDING`: seen outside, not posted yet. */
export type MovementStatus = ApprovalStatus | "DRY_RUN" | "PENDING";

/** The requester, as lists name them. */
export interface MovementRequester {
  kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "RULE" | "BANK";
  name: string;
}

/** How the live counterpart of a dry run would have ended at that time. */
export type ForeseenView =
  | { outcome: "GOES_THROUGH" }
  /** `FAILS`: also if it would not even be accepted. */
  | { outcome: "FAILS" | "WAITS_FOR_APPROVAL"; sentence: string };

/** The one line under a movement. */
export type MovementAbout =
  | { kind: "DRY_RUN"; by: MovementRequester; ruleName: string | null; foreseen: ForeseenView | null }
  | { kind: "ASKED"; by: MovementRequester; label: string | null }
  | { kind: "RULE"; ruleName: string; label: string | null }
  | { kind: "DEPOSIT"; isCheck: boolean }
  /** Accepted, not at the bank yet. `at`: when it goes there. */
  | { kind: "LEAVES"; at: string | null; by: MovementRequester }
  | { kind: "EXPECTED"; on: string }
  | { kind: "PROBLEM"; sentence: string }
  /** Returned by the bank: the code, e.g. `R10`. */
  | { kind: "RETURNED"; code: string | null }
  | { kind: "DENIED"; note: string }
  | { kind: "CARD"; subtype: Uppercase<CardKind>; cardName: string; numberEnding: string }
  | { kind: "OUTSIDE"; category: SpendingCategory | null; isOwnTransfer: boolean; isIncome: boolean };

/** One row of a list of movements, whatever kind it is. */
export interface MovementRowView {
  id: string;
  at: string;
  fromName: string;
  toName: string;
  status: MovementStatus;
  amountInCents: number;
  /** `QUIET`: it moved nothing, or is shown elsewhere. */
  flow: "IN" | "PLAIN" | "QUIET";
  about: MovementAbout;
  isAssistant: boolean;
  /** The list with this one's drawer open. */
  openHref: string;
  pageHref: string;
  isOpen: boolean;
  /** It can still be canceled by the viewer. */
  canCancel: boolean;
}

export interface MovementOption {
  id: string;
  name: string;
}

/** A list of movements with its filters, a page of it, and the drawer if one is open. */
export interface MovementListView {
  tab: MovementTab;
  search: MovementSearch;
  isNarrowed: boolean;
  tabs: { tab: MovementTab; href: string; count: BoundedCount }[];
  /** What settled in the list. Null: too many to sum up. */
  totals: { inInCents: number; outInCents: number } | null;
  count: BoundedCount;
  /** Null: not narrowed, or too many to sum up. */
  sum: ListedSum | null;
  rows: MovementRowView[];
  /** 1-based; null: beyond the counted range. */
  firstPosition: number | null;
  newerHref: string | null;
  olderHref: string | null;
  /** The page is short because too many non-matching rows were skipped. */
  isCutShort: boolean;
  /** Those of the organization, for the filters. */
  accounts: MovementOption[];
  requesters: MovementOption[];
  cards: MovementOption[];
  /** When the youngest outside balance was refreshed; null: none, or another list. */
  refreshedAt: string | null;
  exportHref: string;
  /** The same, with a line for each account that a movement changed, with a sign. */
  exportByAccountHref: string;
  mayExport: boolean;
  /** The list with its drawer closed. */
  closeHref: string;
  open: MovementDetailView | null;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** One step of a movement's life. */
export type LifeStepView =
  | { kind: "PROPOSED"; at: string; by: MovementRequester; isDryRun: boolean }
  | { kind: "MADE_BY_RULE"; at: string; ruleName: string; runHref: string | null; isDryRun: boolean }
  | { kind: "ANNOUNCED"; at: string; isCheck: boolean; payerName: string | null }
  | { kind: "WAITING"; until: string }
  | {
      kind: "APPROVED" | "DENIED";
      at: string;
      byName: string;
      byViewer: boolean;
      method: ConfirmationMethod | null;
      note: string | null;
    }
  | { kind: "EXPIRED" | "REVOKED"; at: string }
  | { kind: "LEAVES"; at: string | null; waitsFor?: WaitsForPodView }
  /** Sent to the bank, which has not answered yet. */
  | { kind: "UNANSWERED" }
  /** `isApprovedThere`: a person must approve it at the bank too. */
  | { kind: "AT_THE_BANK"; expectedOn: string | null; isApprovedThere?: boolean }
  | { kind: "SETTLED"; at: string }
  | { kind: "FAILED"; at: string; code: string; sentence: string }
  | { kind: "RETURNED"; at: string; code: string | null }
  | { kind: "CANCELLED"; at: string; byName: string | null }
  /** What a dry run predicted. */
  | ({ kind: "FORESEEN" } & ForeseenView);

/** A pod's own account at the bank holds money that belongs where payments leave from. */
export interface WaitsForPodView {
  podName: string;
  podHref: string;
  /** The bank has not moved it, and Sluice keeps asking; else it is about to move. */
  isStuck: boolean;
}

/** One line of a booking: the same amount on both sides, always. */
export interface BookLineView {
  entryId: string;
  kind: "TRANSFER" | "RETURN" | "CARD";
  bookedAt: string;
  debitName: string;
  creditName: string;
  amountInCents: number;
}

export interface MovementPartyView {
  name: string;
  /** Null: not an account of the organization. */
  href: string | null;
}

interface CommonDetailView {
  id: string;
  shortId: string;
  from: MovementPartyView;
  to: MovementPartyView;
  amountInCents: number;
  status: MovementStatus;
  isAssistant: boolean;
  /** When it reached this status. */
  statusAt: string;
  createdAt: string;
  books: BookLineView[];
  pageHref: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What the bank said of a transfer when it settled. Times are ISO 8601. */
export interface Settlement {
  rail: BankRail;
  /** 0 if the bank bills otherwise. */
  feeInCents: number;
  /** Until when it may be returned as a matter of course; null: the bank names no time. */
  finalAt: string | null;
  /** When the money of a pull can be spent, which is held until then; null: at once. */
  availableAt: string | null;
}

export interface TransferDetailView extends CommonDetailView {
  kind: "TRANSFER";
  life: LifeStepView[];
  /** The caller's words, verbatim. */
  reason: string | null;
  label: string | null;
  rule: { name: string; href: string; runHref: string | null } | null;
  approvalHref: string | null;
  /** The bank's own wording. */
  bankReferences: string[];
  /** Why the bank refused or returned it, in its own words: untrusted. Null: it gave none. */
  bankWords: string | null;
  /** What the bank said when it settled; null before, and for a transfer within Sluice. */
  settlement: Settlement | null;
  canCancel: boolean;
  moveBackHref: string | null;
  /** Of one that failed: Move money with the same accounts and amount. Null: not offered. */
  tryAgainHref: string | null;
  /** The settled transfer that it moves back; null for any other. */
  reversesHref: string | null;
  /** The proposal that moves it back: waiting, on its way or settled. */
  movedBackHref: string | null;
  /** Its receipt, to print; null before it has settled. */
  receiptHref: string | null;
}

/** A transfer's receipt: the same for everyone, in the organization's zone, naming every person. */
export interface ReceiptView {
  organizationName: string;
  isSandbox: boolean;
  transfer: TransferDetailView;
}

export interface CardDetailView extends CommonDetailView {
  kind: "CARD";
  subtype: Uppercase<CardKind>;
  card: { name: string; numberEnding: string };
  category: SpendingCategory | null;
  networkReference: string;
  completedAt: string;
}

export interface OutsideDetailView extends CommonDetailView {
  kind: "OUTSIDE";
  description: string;
  merchantName: string | null;
  category: SpendingCategory | null;
  isIncome: boolean;
  /** Our transfer whose other side this is. */
  transferHref: string | null;
  seenAt: string;
}

/** One movement, as its drawer and its page show it. */
export type MovementDetailView = TransferDetailView | CardDetailView | OutsideDetailView;
