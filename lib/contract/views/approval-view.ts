import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { MessageChannel } from "@/lib/contract/notifications";
import type { LookAlike } from "@/lib/contract/plain-text";
import type { PlannedMove, RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountKind, AccountRefView } from "@/lib/contract/views/accounts-view";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

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
  | "RULE_CHANGED";

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
  madeByName: string | null;
  madeAt: string | null;
  lastUsedAt: string | null;
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
  /**
   * For an assistant, in place of `KEY_LIMIT` and `KEY_MAY_RUN`: whether the member who connected it may still
   * propose.
   */
  | { kind: "ASSISTANT_MAY_ASK"; assistantName: string; memberName: string; memberRole: MemberRole | null }
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
export type ConfirmationMethod = "PASSKEY" | "PASSWORD" | "RECOVERY_CODE" | "RECENT_SIGN_IN";

export interface DecisionView {
  kind: "APPROVED" | "DENIED";
  byName: string;
  byViewer: boolean;
  at: string;
  method: ConfirmationMethod;
  /** E.g. "Mara’s MacBook", when a passkey confirmed it. */
  passkeyName: string | null;
  /** The reason for a denial, for members only. */
  note: string | null;
}

/** What happened, is happening and will happen to the proposal, in order of time. */
export type HistoryItemView =
  | { kind: "PROPOSED"; at: string; byName: string }
  | {
      kind: "NOTIFIED";
      at: string;
      channel: MessageChannel;
      isReminder: boolean;
      /** First names for email, masked numbers (`••31`) for SMS, `Mara (Safari on iPhone)` for devices. */
      recipients: string[];
      deliveredCount: number;
      failedCount: number;
    }
  | { kind: "WAITING"; deciderNames: string[] }
  | { kind: "APPROVED" | "DENIED"; at: string; byName: string; byViewer: boolean; method: ConfirmationMethod }
  | { kind: "EXPIRED"; at: string }
  /** The key was revoked, or the assistant disconnected, so nothing is left to decide. */
  | { kind: "REVOKED"; at: string; byName: string | null }
  /** `version`: the one that was activated; null: the rule was deactivated. */
  | { kind: "RULE_CHANGED"; at: string; byName: string | null; version: number | null }
  /** `leavesAt`: when it goes to the bank. `isUnanswered`: it was sent, and the bank's answer is not known yet. */
  | { kind: "ON_ITS_WAY"; at: string; leavesAt: string | null; isUnanswered: boolean }
  | { kind: "SETTLED"; at: string }
  | { kind: "FAILED" | "RETURNED" | "PARTIAL"; at: string; code: string }
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

/** The next proposal to review. */
export interface NextProposalView {
  href: string;
  subject: ProposalSubjectView;
  expiresAt: string;
}

/** What the approval page shows of any proposal. */
interface CommonApprovalView {
  id: string;
  /** `7c1e…44d0` */
  shortId: string;
  status: ApprovalStatus;
  /** The caller's words, verbatim; null without any. */
  reason: string | null;
  requester: RequesterView;
  balances: BalanceRowView[];
  /** Null if one of the balances is unknown. */
  together: {
    nowInCents: number;
    changeInCents: number;
    followsInCents: number;
    afterInCents: number;
  } | null;
  checks: CheckView[];
  /** The rules that would follow an approval: a forecast, while it waits. Null once it does not. */
  knockOn: KnockOnView | null;
  /** What rules have moved because of it; none while it waits. */
  followUps: FollowUpView[];
  request: SentRequestView | null;
  /** Names of the accounts that the request mentions by id. */
  accountNames: Readonly<Record<string, string>>;
  history: HistoryItemView[];
  createdAt: string;
  expiresAt: string;
  decision: DecisionView | null;
  settlesOver: "BOOKS" | "ACH";
  /** Banking day on which an ACH transfer should settle, `YYYY-MM-DD`. */
  expectedOn: string | null;
  /** When it settled, failed, was returned or canceled. */
  endedAt: string | null;
  /** Why it failed or was returned: the API's code and one sentence that says whether money moved. */
  error: { code: string; sentence: string } | null;
  /** What the viewer is about to decide; see `DecisionSubject.digest`. */
  digest: string;
  /** Approving waits until the gates open; denying does not. */
  areGatesClosed: boolean;
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
  /** Start of a prefilled transfer back; null when not offered. */
  moveBackHref: string | null;
  /** The proposal that moves it back: waiting, on its way or settled. */
  movedBackHref: string | null;
  /** Opaque; changes with anything on this page. Compared with the answer of `refreshPath`. */
  version: string;
  time: TimeContext;
}

/** A transfer of a rule that the approved money started, directly or through another rule. */
export interface FollowUpView {
  key: string;
  ruleName: string;
  /** The page of the run that made it. */
  runHref: string;
  sourceName: string;
  destinationName: string;
  amountInCents: number;
  status: ApprovalStatus;
}

/** A proposed transfer. */
export interface TransferApprovalView extends CommonApprovalView {
  kind: "TRANSFER";
  amountInCents: number;
  /** The settled transfer of the same amount that it moves back; null for any other. */
  reverses: { href: string; settledAt: string } | null;
  /** Text on the statement, when the transfer goes over ACH. */
  achLabel: string | null;
  source: ApprovalAccountView;
  destination: ApprovalAccountView;
}

/** One transfer of a run: as planned while it waits, then its outcome. */
export interface RunMoveView {
  /** Unique among the run's. */
  key: string;
  sourceName: string;
  destinationName: string;
  /** 0 if skipped. */
  amountInCents: number;
  outcome: PlannedMove["outcome"];
  /** Why it is skipped or fails, in words; null if it moves. */
  because: string | null;
  /** Its outcome; null while it waits, and if no transfer was made. */
  status: ApprovalStatus | null;
}

/** What can be asked for instead of a run that ended with its version. */
export interface RunAgainView {
  /** The version that runs now; null: none does. */
  version: number | null;
  /** The page that runs it, with the same amount; null: the viewer may not, or it cannot run now. */
  href: string | null;
}

/** A proposed run of a rule. */
export interface RunApprovalView extends CommonApprovalView {
  kind: "RULE_RUN";
  rule: { name: string; href: string; version: number };
  /** Total amount. Null: not computed, because it was never approved, or cannot be. */
  amountInCents: number | null;
  /** The account that it starts from, with its money. */
  from: ApprovalAccountView;
  moves: RunMoveView[];
  /** Why nothing moves, in words; null if something does, or nothing was computed. */
  nothingBecause: string | null;
  /** Null unless the run ended with its version. */
  runAgain: RunAgainView | null;
  /** Its diagram; null if this version of Sluice cannot represent the rule. */
  drawing: {
    rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
    plan: RulePlan | null;
    names: AccountNames;
    incomingAmountInCents: number | null;
    /** Current balance of the account that it starts from; null if unknown. */
    startsWithInCents: number | null;
  } | null;
}

/** Everything that the approval page shows of one proposal. */
export type ApprovalView = TransferApprovalView | RunApprovalView;

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
  | {
      kind: "RULE_RUN";
      ruleName: string;
      sourceName: string;
      /** Where it moves money; none if it moves nothing, or was not computed. */
      destinations: { count: number; firstName: string | null; arePods: boolean };
      /** Total of its transfers. Null: not computed, because it was never approved, or cannot be. */
      amountInCents: number | null;
    };
