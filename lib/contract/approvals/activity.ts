import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import type { OrganizationChangeKind } from "@/lib/contract/organization";

/** One thing that a person did, with the names of that time where they were stored. */
export type Activity =
  /** `MONEY_MOVED`: the person's own transfer, confirmed at once. */
  | {
      kind: "PROPOSAL_APPROVED" | "PROPOSAL_DENIED" | "MONEY_MOVED";
      proposal: ProposalSubjectView;
      note: string | null;
    }
  | { kind: "TRANSFER_CANCELLED"; proposal: ProposalSubjectView }
  | { kind: RuleActivityKind; ruleName: string; version: number | null }
  | { kind: NamedActivityKind; name: string }
  | { kind: "GATES_CLOSED" | "GATES_OPENED" }
  | { kind: OrganizationChangeKind; subject: string | null; before: string | null; after: string | null };

export type RuleActivityKind =
  | "RULE_WRITTEN"
  | "RULE_RUN"
  | "RULE_ACTIVATED"
  | "RULE_SIGNED"
  | "RULE_DEACTIVATED"
  | "RULE_RESUMED"
  | "RULE_DISCARDED"
  | "RULE_DELETED"
  | "RULE_HOOK_MADE"
  | "RULE_HOOK_REMOVED"
  | "RULE_HOOK_APPROVAL_ON"
  | "RULE_HOOK_APPROVAL_OFF";

/** `KEY_REPLACED`: a key made in place of another one. */
export type NamedActivityKind =
  | "KEY_MADE"
  | "KEY_REPLACED"
  | "KEY_REVOKED"
  | "ASSISTANT_CONNECTED"
  | "ASSISTANT_DISCONNECTED"
  | "CARD_ISSUED"
  | "BANK_CONNECTED"
  | "PAYEE_PROPOSED"
  | "PAYEE_DETAILS_GIVEN"
  /** Through a link: the person is the member who sent it. */
  | "PAYEE_ENTERED"
  | "PAYEE_SIGNED"
  | "PAYEE_CONFIRMED"
  | "PAYEE_DECLINED"
  | "PAYEE_REMOVED"
  | "PAYEE_INVITED"
  | "DIFFERENCE_ASKED_BANK"
  | "DIFFERENCE_MATCHED_BY_HAND"
  | "DIFFERENCE_BOOKED"
  | "DIFFERENCE_ACCEPTED"
  /** Named by the beginning of its digest. */
  | "FRAUD_REVIEW_SIGNED";
