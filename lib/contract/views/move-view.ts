import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { MoveDraft, MoveInput, MoveSubject } from "@/lib/contract/move";
import type { Refused } from "@/lib/contract/refused";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type {
  ApprovalAccountView,
  ApprovalView,
  BalanceRowView,
  CheckView,
  KnockOnView,
} from "@/lib/contract/views/approval-view";
import type { ConnectionDone } from "@/lib/contract/views/connections-view";
import type { ConfirmationRequest } from "@/lib/contract/views/decision";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An open account that a member can move money from or to. */
export interface MoveAccountView {
  id: string;
  name: string;
  kind: AccountKind;
  isOutside: boolean;
  /** Money can be drawn from it at all. */
  canGive: boolean;
  /** What it could give now; null: not known, which is never zero. */
  availableInCents: number | null;
  /** When its bank said so; null for what is in our own books, and for a bank that has not. */
  balanceAt: string | null;
  /** Through which its bank can be asked again; null for our own accounts, and where a sign-in is missing. */
  connectionId: string | null;
}

/** The page on which a member moves money. */
export interface MoveView {
  /** A new one each time the page is made. */
  draftId: string;
  accounts: MoveAccountView[];
  /** From the address; null where it names none that is there. */
  prefill: {
    sourceAccountId: string | null;
    destinationAccountId: string | null;
    amountInCents: number | null;
  };
  /** Nothing moves until somebody opens them. */
  areGatesClosed: boolean;
  viewer: { canMove: boolean; role: MemberRole; hasPasskey: boolean; deciders: PersonView[] };
  time: TimeContext;
}

/** What a draft would do, as of now. Only a forecast moves with it; the digest covers the rest. */
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

export type PreviewMoveResult = { kind: "PREVIEWED"; preview: MovePreview } | Refused;

/** It is done already: this draft was confirmed before. */
export type MoveDone = { kind: "MOVED"; href: string };

/** This draft moved something else before, so it moves nothing more. */
export type MoveUsed = { kind: "USED"; message: string; href: string };

export type BeginMoveResult = { kind: "BEGUN"; request: ConfirmationRequest } | MoveDone | MoveUsed | Refused;

/** What became of one attempt. Only `MOVED` has changed anything. */
export type MoveResult =
  | MoveDone
  | MoveUsed
  /** What the member saw is no longer so; each change is one sentence. Nothing moved. */
  | { kind: "CHANGED"; changes: string[] }
  | Refused;

/** The server actions behind *Move money*. */
export interface MoveActions {
  preview: (draft: MoveDraft) => Promise<PreviewMoveResult>;
  begin: (subject: MoveSubject) => Promise<BeginMoveResult>;
  move: (input: MoveInput) => Promise<MoveResult>;
  /** Asks the bank of a connection now. Done: it is asked a moment later, and its answer is on the page after that. */
  refresh: (connectionId: string) => Promise<ConnectionDone>;
}
