import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { LookAlike } from "@/lib/contract/plain-text";
import type { PlannedMove, RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountKind, AccountRefView } from "@/lib/contract/views/accounts-view";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Where a proposal stands, as members see it. The API shows `EXPIRED` as a denial; here the two are told apart. */
export type ApprovalStatus =
  | "WAITING"
  | "ON_ITS_WAY"
  | "SETTLED"
  /** Of a run: some of its transfers settled, others did not. */
  | "PARTIAL"
  | "FAILED"
  | "RETURNED"
  | "CANCELLED"
  | "DENIED"
  | "EXPIRED"
  /** The key that asked was revoked, or the assistant disconnected, before anybody decided. */
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
  /** `HOOK`: a program, at the rule's own address. */
  kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK";
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
  /** What rules that it sets off would move besides, as a forecast. */
  followsInCents: number;
  afterInCents: number | null;
}

/** `CLEAR`, worth a look, or in the way of an approval. */
export type CheckOutcome = "CLEAR" | "LOOK" | "BLOCKS";

/** One check: its outcome and the facts it rests on; the page writes the sentences. */
export type CheckView = { outcome: CheckOutcome } & (
  | { kind: "KEY_LIMIT"; keyName: string; limitInCents: number | null; amountInCents: number }
  /** It waits because the key has a cap of what it may set moving in a day alone, and had set this much moving of it. */
  | { kind: "DAILY_CAP"; keyName: string; capInCents: number; usedInCents: number }
  /** Of an assistant, in place of `KEY_LIMIT` and `KEY_MAY_RUN`: whether who connected it may still ask. */
  | { kind: "ASSISTANT_MAY_ASK"; assistantName: string; memberName: string; memberRole: MemberRole | null }
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
  /** Only told where there are any: names that a person would take for each other, in the same letters or in others. */
  | { kind: "LOOK_ALIKE"; names: LookAlike[] }
  /** `ruleCount`: how many rules the key may run; null: all. `isAllowed` false: not this one any more. */
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
  | { kind: "NOT_RUN_TWICE"; runCount: number; lastAt: string | null }
  /** Only told where it blocks. */
  | { kind: "RULE_RUNS"; problem: RuleProblem | null; version: number; activeVersion: number | null }
  | { kind: "NEWER_VERSION"; version: number; latestVersion: number; ruleHref: string }
);

/** Why a run cannot do what it is to do. */
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
  /** The key that asked was revoked, or the assistant disconnected, so nothing is left to decide. */
  | { kind: "REVOKED"; at: string; byName: string | null }
  /** `leavesAt`: when it is handed to the bank. `isUnanswered`: it was, and the bank's answer is not known yet. */
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

/** The proposal to turn to after this one. */
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
  /** The caller's words, verbatim; null when none were sent. */
  reason: string | null;
  asker: AskerView;
  balances: BalanceRowView[];
  /** Null when one of the balances is not known. */
  together: {
    nowInCents: number;
    changeInCents: number;
    followsInCents: number;
    afterInCents: number;
  } | null;
  checks: CheckView[];
  /** What rules follow if it is approved: a forecast, while it waits. Null once it does not. */
  knockOn: KnockOnView | null;
  /** What rules have moved since because of it; none while it waits. */
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
  /** When it settled, failed, was returned or cancelled. */
  endedAt: string | null;
  /** Why it failed or came back: the API's code and one sentence that says whether money moved. */
  error: { code: string; sentence: string } | null;
  /** What the viewer is about to decide; see `DecisionSubject.digest`. */
  digest: string;
  /** Approving waits until they open; denying does not. */
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
  /** Where a prefilled transfer back starts; null when it is not offered. */
  moveBackHref: string | null;
  /** Opaque; changes whenever anything on this page would. Compared with what `refreshPath` answers. */
  version: string;
  time: TimeContext;
}

/** A transfer of a rule that the approved money set off, directly or through another rule. */
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
  /** Text on the statement, when the transfer goes over ACH. */
  achLabel: string | null;
  source: ApprovalAccountView;
  destination: ApprovalAccountView;
}

/** One transfer of a run: as planned while it waits, then as it came out. */
export interface RunMoveView {
  /** Unique among the run's. */
  key: string;
  sourceName: string;
  destinationName: string;
  /** 0 where it is skipped. */
  amountInCents: number;
  outcome: PlannedMove["outcome"];
  /** Why it is skipped or fails, in words; null of one that moves. */
  because: string | null;
  /** What became of it; null while it waits, and of one that made no transfer. */
  status: ApprovalStatus | null;
}

/** A proposed run of a rule. */
export interface RunApprovalView extends CommonApprovalView {
  kind: "RULE_RUN";
  rule: { name: string; href: string; version: number };
  /** What moves together. Null: not worked out, because it was never approved, or cannot be. */
  amountInCents: number | null;
  /** The account that it starts from, with its money. */
  from: ApprovalAccountView;
  moves: RunMoveView[];
  /** Why nothing moves, in words; null where something does, or nothing was worked out. */
  nothingBecause: string | null;
  /** What is drawn of it; null where this version of Sluice cannot represent the rule. */
  drawing: {
    rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
    plan: RulePlan | null;
    names: AccountNames;
    incomingAmountInCents: number | null;
    /** What the account that it starts from holds now; null where that is not known. */
    startsWithInCents: number | null;
  } | null;
}

/** Everything that the approval page shows of one proposal. */
export type ApprovalView = TransferApprovalView | RunApprovalView;

/** One rule that would be set off, in the order in which they would run. */
export interface KnockOnRunView {
  ruleName: string;
  ruleHref: string;
  /** `SKIPS`: it looks and does nothing. `WAITS`: for a balance that is not known. */
  outcome: "RUNS" | "SKIPS" | "FAILS" | "WAITS";
  /** Why, in one or two sentences. */
  because: string;
  /** It follows once a bank has settled what sets it off. */
  isLater: boolean;
  movedInCents: number;
  /** All that it moves goes to accounts outside. */
  leavesSluice: boolean;
  flows: { fromName: string; toName: string }[];
}

/** What an approval sets off by rule: a forecast, outside of what is approved. */
export interface KnockOnView {
  runs: KnockOnRunView[];
  /** What they would move together. */
  followsInCents: number;
  /** There are more than are shown. */
  isCut: boolean;
}

/** What a proposal is about, as lists and short sentences tell it. */
export type ProposalSubjectView =
  | { kind: "TRANSFER"; sourceName: string; destinationName: string; amountInCents: number }
  | {
      kind: "RULE_RUN";
      ruleName: string;
      sourceName: string;
      /** Where it moves something to; none where it moves nothing, or that is not worked out. */
      destinations: { count: number; firstName: string | null; arePods: boolean };
      /** Of all its transfers. Null: not worked out, because it was never approved, or cannot be. */
      amountInCents: number | null;
    };
