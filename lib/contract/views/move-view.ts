import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type {
  ApprovalAccountView,
  ApprovalView,
  BalanceRowView,
  CheckView,
  KnockOnView,
} from "@/lib/contract/views/approval-view";
import type { ConfirmationRequest } from "@/lib/contract/views/decision";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An open account that a member can move money from or to. */
export interface MoveAccountView {
  id: string;
  name: string;
  kind: AccountKind;
  isOutside: boolean;
  /** Whether money can be drawn from it at all. */
  canGive: boolean;
  /** Why the bank moves no money between it and Sluice, in a few words for a list; null: it does. */
  cannotGive: string | null;
  cannotTake: string | null;
  /** Available amount; null: unknown, which is never zero. */
  availableInCents: number | null;
  /** When its bank reported it; null for our own books, and if the bank never did. */
  balanceAt: string | null;
  /** Connection through which its bank can be asked again; null for our own accounts, and if a sign-in is required. */
  connectionId: string | null;
}

/** The page on which a member moves money. */
export interface MoveView {
  /** New each time the page is rendered. */
  draftId: string;
  accounts: MoveAccountView[];
  /** From the URL; null if it names none that exists. */
  prefill: {
    sourceAccountId: string | null;
    destinationAccountId: string | null;
    amountInCents: number | null;
  };
  /** Nothing moves until someone opens them. */
  areGatesClosed: boolean;
  viewer: {
    canMove: boolean;
    role: MemberRole;
    hasPasskey: boolean;
    freshUntil: string | null;
    deciders: PersonView[];
  };
  time: TimeContext;
}

/** What a draft would do right now. Forecasts may shift; the digest covers the rest. */
export interface MovePreview {
  amountInCents: number;
  source: ApprovalAccountView;
  destination: ApprovalAccountView;
  balances: BalanceRowView[];
  together: ApprovalView["together"];
  checks: CheckView[];
  knockOn: KnockOnView;
  settlesOver: ApprovalView["settlesOver"];
  digest: string;
  time: TimeContext;
}

/** Done already: this draft was confirmed before. */
export type MoveDone = { kind: "MOVED"; href: string };

/** This draft moved something else before, so it moves nothing more. */
export type MoveUsed = { kind: "USED"; message: string; href: string };

export type BeginMoveResult = { kind: "BEGUN"; request: ConfirmationRequest } | MoveDone | MoveUsed | Refused;

/** Outcome of one attempt. Only `MOVED` has changed anything. */
export type MoveResult =
  | MoveDone
  | MoveUsed
  /** What the member saw has changed; each change is one sentence. Nothing moved. */
  | { kind: "CHANGED"; changes: string[] }
  | Refused;
