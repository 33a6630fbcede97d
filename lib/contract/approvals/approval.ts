import type { AccountKind, AccountRefView } from "@/lib/contract/account";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import type { BrokenMandate } from "@/lib/contract/mandates/mandate";
import type { MemberRole } from "@/lib/contract/members";
import type { PlannedMove, UnknownFact } from "@/lib/contract/rules/plan";

/** State of a proposal, as members see it. The API shows `EXPIRED` as a denial; here the two differ. */
export type ApprovalStatus =
  | "WAITING"
  | "ON_ITS_WAY"
  | "SETTLED"
  /** For a run: some of its transfers settled, others did not. */
  | "PARTIAL"
  | "FAILED"
  | "RETURNED"
  | "CANCELLED"
  | "DENIED"
  | "EXPIRED"
  /** The key was revoked, or the assistant disconnected, before anyone decided. */
  | "REVOKED"
  /** A run whose version stopped running, by an activation or a deactivation, before anyone decided. */
  | "RULE_CHANGED"
  /** The program that requested it took it back before anyone decided. */
  | "WITHDRAWN";

/** One end of the proposed movement with its money. Amounts are null when the balance is unknown. */
export interface ApprovalAccountView extends AccountRefView {
  /** Not held in Sluice: connected accounts, debts and counterparties. */
  isOutside: boolean;
  nowInCents: number | null;
  afterInCents: number | null;
  floorInCents: number | null;
}

/** Who proposed it, and the outcome of their earlier proposals. */
export interface RequesterView {
  /** `HOOK`: a program, at the rule's own address. */
  kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK";
  name: string;
  createdByName: string | null;
  createdAt: string | null;
  lastUsedAt: string | null;
  /** Another working key or connected assistant whose name looks the same. Not part of the digest: a decision is about the money. */
  lookAlike: LookAlike | null;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first, at most the last 47: drawn as the requester's history. */
  recent: ("APPROVED" | "DENIED" | "EXPIRED")[];
}

/** A balance before and after. The changes add up to zero, unless a balance is unknown. */
export interface BalanceRowView {
  accountId: string | null;
  name: string;
  kind: AccountKind;
  isOutside: boolean;
  nowInCents: number | null;
  changeInCents: number;
  /** What the rules it starts would move as well, as a forecast. */
  followsInCents: number;
  afterInCents: number | null;
}

/** `UNCHECKED`: there is nothing to check against. `LOOK`: worth a look. */
export type CheckOutcome = "CLEAR" | "UNCHECKED" | "LOOK" | "BLOCKS";

/** Another transfer that may be the same one. */
export interface SimilarTransferView {
  href: string;
  isWaiting: boolean;
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  /** When it was requested. */
  at: string;
}

/** One check: its outcome and the facts behind it; the page writes the sentences. */
export type CheckView = { outcome: CheckOutcome } & (
  | { kind: "KEY_LIMIT"; keyName: string; limitInCents: number | null; amountInCents: number }
  /** It waits because it would exceed the key's daily cap; the key had moved this much. */
  | { kind: "DAILY_CAP"; keyName: string; capInCents: number; usedInCents: number }
  /** What its program may do by itself did not cover it when it was proposed. */
  | ({ kind: "OUTSIDE_MANDATE" } & BrokenMandate)
  /**
   * For an assistant, in place of `KEY_LIMIT` and `KEY_MAY_RUN`: whether the member who connected it may still
   * propose.
   */
  | { kind: "ASSISTANT_MAY_ASK"; assistantName: string; memberName: string; memberRole: MemberRole | null }
  /** A member approves less than was proposed. */
  | { kind: "LESS"; requestedAmountInCents: number; amountInCents: number }
  | { kind: "ENOUGH_MONEY"; accountName: string; availableInCents: number | null; amountInCents: number }
  /** Real money only: what may leave Sluice within 24 hours, and what is left of it. */
  | { kind: "OUTGOING_CAP"; capInCents: number; leftInCents: number; amountInCents: number }
  | {
      kind: "FLOOR";
      accountName: string;
      floorInCents: number;
      /** What stays available, also after money already on its way out. */
      afterInCents: number;
      onItsWayInCents: number;
    }
  /** `isMore`: more than these transfers, which are the latest. */
  | {
      kind: "KNOWN_ROUTE";
      transferCount: number;
      isMore: boolean;
      firstAt: string | null;
      lastAt: string | null;
    }
  | {
      kind: "SIMILAR_LATELY";
      transferCount: number;
      /** Of those, how many are of this amount and share an account: possible duplicates. */
      sameAmountCount: number;
      /** A possible duplicate if there is one. */
      closest: SimilarTransferView | null;
    }
  /** Eight of ten amounts on the route are between `usualLowInCents` and `usualHighInCents`. */
  | {
      kind: "USUAL_AMOUNT";
      usualLowInCents: number;
      usualHighInCents: number;
      amountInCents: number;
      /** This amount divided by the median of the route. */
      timesMedian: number;
    }
  /** Present only if the program gave one. `otherHref`: the latest other transfer that has it. */
  | { kind: "EXTERNAL_ID"; externalId: string; otherHref: string | null }
  /** Present only with documents. `documentName`: the first of which another transfer has the same file. */
  | { kind: "SAME_DOCUMENT"; documentName: string | null; otherHref: string | null }
  /** Present only if it pays any. `FIRST`: the first payment; `CHANGED`: the first since the payee changed. */
  | { kind: "PAYEE"; payees: PaidPayeeView[] }
  /** Present only if there are any: names that a person would confuse, in the same letters or others. */
  | { kind: "LOOK_ALIKE"; names: LookAlike[] }
  /** `ruleCount`: how many rules the key may run; null: all. `isAllowed` false: no longer this one. */
  | { kind: "KEY_MAY_RUN"; keyName: string; ruleName: string; ruleCount: number | null; isAllowed: boolean }
  | {
      kind: "RUN_MONEY";
      /** What it takes, account by account. */
      sources: { accountName: string; availableInCents: number | null; takesInCents: number }[];
      problem: RunProblem | null;
    }
  | {
      kind: "RUN_FLOORS";
      /** Every account with a floor that it takes from. */
      accounts: { accountName: string; floorInCents: number; afterInCents: number }[];
    }
  | {
      kind: "NOT_RUN_TWICE";
      runCount: number;
      /** The latest of those. */
      latest: { href: string; isWaiting: boolean } | null;
      lastAt: string | null;
    }
  /** Present only if it blocks. */
  | { kind: "RULE_RUNS"; problem: RuleProblem | null; version: number; activeVersion: number | null }
  | { kind: "NEWER_VERSION"; version: number; latestVersion: number; ruleHref: string }
);

export interface PaidPayeeView {
  name: string;
  /** A connected account of the organization itself, which was registered at the bank. */
  isOwn: boolean;
  accountNumberLast4: string | null;
  novelty: "FIRST" | "CHANGED" | null;
  confirmedAt: string;
  /** Until then, larger amounts wait before they leave. */
  coolsOffUntil: string | null;
  /** This transfer is one of those. Of a run, each transfer is counted as it is accepted. */
  waits: boolean;
}

/** Why a run cannot do what it should. */
export type RunProblem =
  | { kind: "UNKNOWN"; fact: UnknownFact["fact"]; accountName: string | null }
  | {
      kind: "FAILS";
      code: NonNullable<PlannedMove["errorCode"]>;
      sourceName: string;
      destinationName: string;
      amountInCents: number;
    };

/** Why a rule does not run live. */
export type RuleProblem = "DELETED" | "UNREADABLE" | "DEACTIVATED" | "OTHER_VERSION" | "PAUSED";

/** How a decision was confirmed. */
export type ConfirmationMethod = "PASSKEY" | "PASSWORD" | "RECOVERY_CODE" | "RECENT_SIGN_IN" | "TEST_PERSON";

/** The next proposal to review. */
export interface NextProposalView {
  href: string;
  subject: ProposalSubjectView;
  expiresAt: string;
}

/** One rule that would start, in the order in which they would run. */
export interface KnockOnRunView {
  ruleName: string;
  ruleHref: string;
  /** `SKIPS`: it checks and does nothing. `WAITS`: for an unknown balance. */
  outcome: "RUNS" | "SKIPS" | "FAILS" | "WAITS";
  /** Why, in one or two sentences. */
  because: string;
  /** It follows once a bank has settled what starts it. */
  isLater: boolean;
  movedInCents: number;
  /** Everything it moves goes to accounts outside. */
  leavesSluice: boolean;
  flows: { fromName: string; toName: string }[];
}

/** What an approval starts by rule: a forecast, not part of what is approved. */
export interface KnockOnView {
  runs: KnockOnRunView[];
  /** Total of what they would move. */
  followsInCents: number;
  /** There are more than are shown. */
  isCut: boolean;
}

/** The subject of a proposal, for lists and short sentences. */
export type ProposalSubjectView =
  | { kind: "TRANSFER"; sourceName: string; destinationName: string; amountInCents: number }
  /** Transfers that are decided together; only in lists of what waits. */
  | {
      kind: "BATCH";
      sourceName: string;
      /** Null: several. */
      destinationName: string | null;
      destinationCount: number;
      lineCount: number;
      amountInCents: number;
    }
  | {
      kind: "RULE_RUN";
      ruleName: string;
      sourceName: string;
      /** Where it moves money; none if it moves nothing, or was not computed. */
      destinations: { count: number; firstName: string | null; arePods: boolean };
      /** Total of its transfers. Null: not computed, because it was never approved, or cannot be. */
      amountInCents: number | null;
    };
