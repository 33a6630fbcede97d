import type { MemberRole } from "@/lib/contract/members";
import {
  type BatchPolicySubject,
  type MatchedVersion,
  matchPolicies,
  matchPoliciesOfBatch,
  type PolicySubject,
} from "@/lib/core/policies/match-proposal";
import { readPoliciesOf } from "@/lib/core/policies/read-policy";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import type { GivenSignature, PossibleSigner } from "@/lib/engine/policies/progress-of";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** A member who may decide. */
export interface Signer extends PossibleSigner {
  name: string;
}

/** A signature that was not withdrawn. */
export interface StoredSignature extends GivenSignature {
  memberName: string;
  role: MemberRole | null;
  /** What it binds to: it counts only while the proposal has the same. */
  subjectHash: string;
  /** What its signer was shown. */
  digest: string;
  at: Date;
  method: ConfirmationMethod;
  passkeyName: string | null;
}

/** Who must sign a proposal by the versions of the policy that apply to it. */
export interface ProposalPolicy {
  asks: MatchedVersion[];
  requesterMemberIds: readonly string[];
  signatures: StoredSignature[];
  /** Owners and co-owners. */
  people: Signer[];
  /** In the organization's time zone. */
  today: string;
}

/** Each version of the policy that applies, once, in their order. */
export function versionsOf({ asks }: Pick<ProposalPolicy, "asks">): number[] {
  return [...new Set(asks.map(({ version }) => version))];
}

interface Where {
  database: Queryable;
  organizationId: string;
  /** Business time. */
  now: Date;
}

/**
 * Who must sign it, as things are now. Three or four indexed statements, for proposals with a policy only.
 */
export async function readProposalPolicy(
  where: Where,
  subject: PolicySubject | BatchPolicySubject,
): Promise<ProposalPolicy> {
  const { database, organizationId, now } = where;
  const policies = await readPoliciesOf(database, organizationId, subject.bornUnder);
  const asks =
    "parts" in subject
      ? await matchPoliciesOfBatch(where, policies, subject)
      : await matchPolicies(where, policies, subject);
  const { people, timeZone } = await readSigners(database, organizationId);
  return {
    asks,
    requesterMemberIds: subject.requester.memberIds,
    signatures: await readSignatures(database, organizationId, subject.id),
    people,
    today: calendarDate(now, timeZone),
  };
}

/** More owners than any organization has. */
const MAXIMUM_SIGNERS = 200;

async function readSigners(
  database: Queryable,
  organizationId: string,
): Promise<{ people: Signer[]; timeZone: string }> {
  const { rows } = await database.query<Signer & { timeZone: string }>({
    name: "read_signers",
    text: `
      select u.id, u.name, m.role, true as "isActive", o.time_zone as "timeZone"
        from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
       where m.organization_id = $1 and m.role in ('OWNER', 'CO_OWNER')
       order by m.role desc, u.name, u.id limit ${MAXIMUM_SIGNERS}`,
    values: [organizationId],
  });
  return {
    people: rows.map(({ timeZone: _timeZone, ...person }) => person),
    timeZone: rows[0]?.timeZone ?? "UTC",
  };
}

/** The living signatures of a proposal, in their order. */
export async function readSignatures(
  database: Queryable,
  organizationId: string,
  proposalId: string,
): Promise<StoredSignature[]> {
  const { rows } = await database.query<StoredSignature>({
    name: "read_signatures",
    text: `
      select s.user_id as "memberId", u.name as "memberName", m.role, s.subject_hash as "subjectHash", s.digest,
          s.signed_at as at, s.signed_on::text as "on", s.method, s.passkey_name as "passkeyName"
        from signatures s
        join users u on u.id = s.user_id
        left join memberships m on m.organization_id = $1 and m.user_id = s.user_id
       where s.organization_id = $1 and s.subject_kind = 'PROPOSAL' and s.subject_id = $2 and s.withdrawn_at is null
       order by s.id limit ${MAXIMUM_SIGNERS}`,
    values: [organizationId, proposalId],
  });
  return rows;
}
