import type { MemberRole } from "@/lib/contract/members";
import { type Permission, permissionsSchema } from "@/lib/contract/permissions";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { TransferStatus } from "@/lib/contract/transfer";
import type { SentRequest } from "@/lib/core/shared/context";
import type { AboveCap } from "@/lib/core/shared/permits";
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

export type ProposalState = "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "REVOKED" | "RULE_CHANGED";

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
  proposedBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK"; id: string | null; name: string };
  /** The key's daily cap that requires this approval; null: it waits for another reason. */
  aboveCap: AboveCap | null;
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
    method: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | null;
    passkeyName: string | null;
    note: string | null;
  } | null;
}

/** One proposal, for `$1` and `$2`. */
export const PROPOSAL = `
  select p.id, p.kind, p.state, p.request, p.created_at, p.expires_at,
      ${SUBJECT_STATUS} as status,
      coalesce(t.reason_for_approval, e.reason_for_approval) as reason,
      ${REQUESTER_KIND} as requester_kind,
      ${REQUESTER_ID} as requester_id,
      ${REQUESTER_NAME} as requester_name,
      p.cap_in_cents, p.cap_used_in_cents,
      k.id as key_id, k.created_at as key_created_at, maker.name as key_created_by_name, k.last_used_at,
      k.revoked_at is not null as key_is_revoked, revoker.name as key_revoked_by_name, k.permissions,
      k.client_id is not null as is_assistant, member.role as member_role,
      p.decided_at, p.decided_by, decider.name as decided_by_name, p.decision_method, p.decision_passkey_name,
      p.decision_note
    from proposals p
    ${SUBJECT_JOINS}
    left join api_keys k on k.organization_id = p.organization_id and k.id = p.api_key_id
    left join users maker on maker.id = k.created_by
    left join memberships member on member.organization_id = $1 and member.user_id = k.created_by
      and k.client_id is not null
    left join users revoker on revoker.id = k.revoked_by
    left join users decider on decider.id = p.decided_by
   where p.organization_id = $1 and p.id = $2`;

export interface ProposalRow {
  id: string;
  kind: "TRANSFER" | "RULE_RUN";
  state: ProposalState;
  request: SentRequest | null;
  created_at: Date;
  expires_at: Date;
  status: SubjectStatus;
  reason: string | null;
  requester_kind: ProposalFacts["proposedBy"]["kind"];
  requester_id: string | null;
  requester_name: string | null;
  cap_in_cents: number | null;
  cap_used_in_cents: number | null;
  key_id: string | null;
  key_created_at: Date | null;
  key_created_by_name: string | null;
  last_used_at: Date | null;
  key_revoked_by_name: string | null;
  key_is_revoked: boolean;
  permissions: unknown;
  is_assistant: boolean;
  member_role: MemberRole | null;
  decided_at: Date | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_method: NonNullable<ProposalFacts["decision"]>["method"];
  decision_passkey_name: string | null;
  decision_note: string | null;
}

export function toProposalFacts(row: ProposalRow): ProposalFacts {
  return {
    id: row.id,
    state: row.state,
    status: row.status,
    reason: row.reason,
    request: row.request,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    proposedBy: { kind: row.requester_kind, id: row.requester_id, name: row.requester_name ?? NAMELESS },
    aboveCap:
      row.cap_in_cents === null || row.cap_used_in_cents === null
        ? null
        : { capInCents: row.cap_in_cents, usedInCents: row.cap_used_in_cents },
    key: toKey(row),
    decision: row.decided_at && {
      at: row.decided_at,
      byId: row.decided_by,
      byName: row.decided_by_name,
      method: row.decision_method,
      passkeyName: row.decision_passkey_name,
      note: row.decision_note,
    },
  };
}

/** A program that calls a rule's hook does not have to give a name. */
const NAMELESS = "A program";

function toKey(row: ProposalRow): ProposalFacts["key"] {
  if (row.key_id === null || row.key_created_at === null) return null;
  return {
    id: row.key_id,
    createdAt: row.key_created_at,
    createdByName: row.key_created_by_name ?? FORMER_MEMBER,
    lastUsedAt: row.last_used_at,
    isRevoked: row.key_is_revoked,
    revokedByName: row.key_revoked_by_name,
    permissions: permissionsOf(row),
    memberRole: row.member_role,
  };
}

function permissionsOf(row: ProposalRow): readonly Permission[] {
  if (!row.is_assistant) return permissionsSchema.parse(row.permissions);
  return row.member_role === null ? [] : permissionsOfRole(row.member_role);
}

/** The moves of a plan that can be approved; null without a plan, or if it would fail partway. */
export function approvableMoves(plan: RulePlan | null | undefined): PlannedMove[] | null {
  if (!plan || plan.moves.some((move) => move.outcome === "FAILED")) return null;
  return movesOf(plan);
}
