import type { DenialReason, DenialReasonKind } from "@/lib/contract/approvals/denial";
import { type BrokenMandate, brokenMandateSchema } from "@/lib/contract/mandates/mandate";
import type { MemberRole } from "@/lib/contract/members";
import { type Permission, permissionsSchema } from "@/lib/contract/permissions";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { TransferStatus } from "@/lib/contract/transfer";
import type { SentRequest } from "@/lib/core/shared/context";
import type { AboveCap } from "@/lib/core/shared/permits";
import { DECIDER_ID, deciderName } from "@/lib/core/shared/proposal-decision";
import { permissionsOfRole } from "@/lib/core/shared/roles";
import {
  REQUESTER_ID,
  REQUESTER_KIND,
  REQUESTER_NAME,
  SUBJECT_JOINS,
  SUBJECT_STATUS,
} from "@/lib/core/shared/subject-columns";
import { movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import { FORMER_MEMBER } from "@/lib/words/names";

export type ProposalState =
  | "WAITING"
  | "APPROVED"
  | "DENIED"
  | "EXPIRED"
  | "REVOKED"
  | "RULE_CHANGED"
  | "WITHDRAWN";

/** A line of a batch that waits is decided with the others. */
export type LockedState = ProposalState | "IN_BATCH";

/** The status of a proposal's transfer or run. */
export type SubjectStatus = TransferStatus | RuleExecutionStatus;

/** What transfers and runs have in common as proposals. */
export interface ProposalFacts {
  id: string;
  state: ProposalState;
  status: SubjectStatus;
  reason: string | null;
  request: SentRequest | null;
  createdAt: Date;
  expiresAt: Date;
  /** The batch of which it is a line, which is signed and decided as a whole. */
  batchId: string | null;
  proposedBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK"; id: string | null; name: string };
  /** The policy version in force when it was proposed, and the one in force now; null: none. */
  policyVersions: { atBirth: number | null; inForce: number | null };
  /** Who counts as its requester: the member, or who made the key, the connection or the hook. */
  requesterMemberIds: readonly string[];
  /** The key's daily cap that requires this approval; null: it waits for another reason. */
  aboveCap: AboveCap | null;
  /** The mandate of its route that it was not inside of; null: its key has none. */
  outsideMandate: BrokenMandate | null;
  /** What its program asked, where a member approves less; null: what moves. */
  requestedAmountInCents: number | null;
  /** The key, or the connection of an assistant, that requested it; null: neither did. */
  key: {
    id: string;
    createdAt: Date;
    createdByName: string;
    lastUsedAt: Date | null;
    isRevoked: boolean;
    /** Null if no member did: it was replaced, or the operator revoked it. */
    revokedByName: string | null;
    /** For an assistant, those of its member's current role; none if that member has left. */
    permissions: readonly Permission[];
    /** For an assistant, its member's current role, null if they have left. For a key, null. */
    memberRole: MemberRole | null;
  } | null;
  decision: {
    at: Date;
    byId: string | null;
    byName: string | null;
    method: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | "TEST_PERSON" | null;
    passkeyName: string | null;
    note: string | null;
    /** For the program; null: none was given. */
    reason: (DenialReason & { askAgainAfter: Date | null }) | null;
  } | null;
}

/** Proposals `p` of the organization `$1`. */
export const proposalsWhere = (condition: string) => `
  select p.id, p.kind, p.state, p.request, p.created_at as "createdAt", p.expires_at as "expiresAt",
      p.batch_id as "batchId",
      ${SUBJECT_STATUS} as status,
      coalesce(t.reason_for_approval, e.reason_for_approval) as reason,
      ${REQUESTER_KIND} as "requesterKind",
      ${REQUESTER_ID} as "requesterId",
      ${REQUESTER_NAME} as "requesterName",
      p.policy_version as "policyVersion",
      (select force.version from approval_policies force where force.organization_id = $1 and force.state = 'IN_FORCE')
        as "policyInForce",
      k.created_by as "keyCreatedById",
      (select hook.created_by from rule_hooks hook where hook.organization_id = $1 and hook.rule_id = e.rule_id
        and e.started_by_kind = 'HOOK') as "hookCreatedById",
      p.cap_in_cents as "capInCents", p.cap_used_in_cents as "capUsedInCents",
      p.outside_mandate as "outsideMandate",
      p.requested_amount_in_cents as "requestedAmountInCents",
      k.id as "keyId", k.created_at as "keyCreatedAt", maker.name as "keyCreatedByName", k.last_used_at as "lastUsedAt",
      k.revoked_at is not null as "keyIsRevoked", revoker.name as "keyRevokedByName", k.permissions,
      k.client_id is not null as "isAssistant", member.role as "memberRole",
      p.decided_at as "decidedAt", ${DECIDER_ID} as "decidedBy", ${deciderName("decider")} as "decidedByName",
      p.decision_method as "decisionMethod", p.decision_passkey_name as "decisionPasskeyName",
      p.decision_note as "decisionNote", p.denial_reason as "denialReason", p.denial_text as "denialText",
      p.ask_again_after as "askAgainAfter"
    from proposals p
    ${SUBJECT_JOINS}
    left join api_keys k on k.organization_id = p.organization_id and k.id = p.api_key_id
    left join users maker on maker.id = k.created_by
    left join memberships member on member.organization_id = $1 and member.user_id = k.created_by
      and k.client_id is not null
    left join users revoker on revoker.id = k.revoked_by
    left join users decider on decider.id = p.decided_by
   where p.organization_id = $1 and ${condition}`;

/** One proposal, for `$1` and `$2`. */
export const PROPOSAL = proposalsWhere("p.id = $2");

export interface ProposalRow {
  id: string;
  kind: "TRANSFER" | "RULE_RUN";
  state: ProposalState;
  request: SentRequest | null;
  createdAt: Date;
  expiresAt: Date;
  batchId: string | null;
  status: SubjectStatus;
  reason: string | null;
  requesterKind: ProposalFacts["proposedBy"]["kind"];
  requesterId: string | null;
  requesterName: string | null;
  policyVersion: number | null;
  policyInForce: number | null;
  keyCreatedById: string | null;
  hookCreatedById: string | null;
  requestedAmountInCents: number | null;
  capInCents: number | null;
  capUsedInCents: number | null;
  outsideMandate: unknown;
  keyId: string | null;
  keyCreatedAt: Date | null;
  keyCreatedByName: string | null;
  lastUsedAt: Date | null;
  keyRevokedByName: string | null;
  keyIsRevoked: boolean;
  permissions: unknown;
  isAssistant: boolean;
  memberRole: MemberRole | null;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedByName: string | null;
  decisionMethod: NonNullable<ProposalFacts["decision"]>["method"];
  decisionPasskeyName: string | null;
  decisionNote: string | null;
  denialReason: DenialReasonKind | null;
  denialText: string | null;
  askAgainAfter: Date | null;
}

export function toProposalFacts(row: ProposalRow): ProposalFacts {
  return {
    id: row.id,
    state: row.state,
    status: row.status,
    reason: row.reason,
    request: row.request,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    batchId: row.batchId,
    proposedBy: { kind: row.requesterKind, id: row.requesterId, name: row.requesterName ?? NAMELESS },
    policyVersions: { atBirth: row.policyVersion, inForce: row.policyInForce },
    requesterMemberIds: [
      row.requesterKind === "MEMBER" ? row.requesterId : null,
      row.keyCreatedById,
      row.hookCreatedById,
    ].filter((id) => id !== null),
    aboveCap:
      row.capInCents === null || row.capUsedInCents === null
        ? null
        : { capInCents: row.capInCents, usedInCents: row.capUsedInCents },
    outsideMandate: brokenMandateSchema.nullable().parse(row.outsideMandate),
    requestedAmountInCents: row.requestedAmountInCents,
    key: toKey(row),
    decision: row.decidedAt && {
      at: row.decidedAt,
      byId: row.decidedBy,
      byName: row.decidedByName,
      method: row.decisionMethod,
      passkeyName: row.decisionPasskeyName,
      note: row.decisionNote,
      reason: row.denialReason && {
        kind: row.denialReason,
        text: row.denialText,
        askAgainAfter: row.askAgainAfter,
      },
    },
  };
}

/** A program that calls a rule's hook does not have to give a name. */
const NAMELESS = "A program";

function toKey(row: ProposalRow): ProposalFacts["key"] {
  if (row.keyId === null || row.keyCreatedAt === null) return null;
  return {
    id: row.keyId,
    createdAt: row.keyCreatedAt,
    createdByName: row.keyCreatedByName ?? FORMER_MEMBER,
    lastUsedAt: row.lastUsedAt,
    isRevoked: row.keyIsRevoked,
    revokedByName: row.keyRevokedByName,
    permissions: permissionsOf(row),
    memberRole: row.memberRole,
  };
}

function permissionsOf(row: ProposalRow): readonly Permission[] {
  if (!row.isAssistant) return permissionsSchema.parse(row.permissions);
  return row.memberRole === null ? [] : permissionsOfRole(row.memberRole);
}

/** The moves of a plan that can be approved; null without a plan, or if it would fail partway. */
export function approvableMoves(plan: RulePlan | null | undefined): PlannedMove[] | null {
  if (!plan || plan.moves.some((move) => move.outcome === "FAILED")) return null;
  return movesOf(plan);
}
