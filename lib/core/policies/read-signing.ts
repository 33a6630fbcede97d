import { createHash } from "node:crypto";
import { type Policy, policySchema } from "@/lib/contract/policies/policy";
import { type PolicyPerson, readPolicyPeople } from "@/lib/core/policies/read-people";
import { type PolicyVersion, readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { Queryable } from "@/lib/db/transaction";
import {
  type ChangeRequirement,
  requirementsOfPublication,
  signingHours,
} from "@/lib/engine/policies/policy-change";
import { type Progress, progressOf } from "@/lib/engine/policies/progress-of";

/** The organization's one draft, or the version that is being signed. */
export interface PolicyDraftRow {
  version: number;
  state: "DRAFT" | "SIGNING";
  revision: number;
  policy: Policy;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Who asked for the signatures; null while it is a draft. */
  begunBy: string | null;
  signingSince: Date | null;
  expiresAt: Date | null;
}

/** Null: nothing is being written. A definition of another version of Sluice is none. */
export async function readPolicyDraft(
  database: Queryable,
  organizationId: string,
): Promise<PolicyDraftRow | null> {
  const { rows } = await database.query<Omit<PolicyDraftRow, "policy"> & { definition: unknown }>({
    name: "read_policy_draft",
    text: `select version, state, revision, definition, created_by as "createdBy", created_at as "createdAt",
        updated_at as "updatedAt", begun_by as "begunBy", signing_since as "signingSince",
        signing_expires_at as "expiresAt"
      from approval_policies where organization_id = $1 and state in ('DRAFT', 'SIGNING')`,
    values: [organizationId],
  });
  const [row] = rows;
  if (!row) return null;
  const { definition, ...draft } = row;
  return { ...draft, policy: policySchema.parse(definition) };
}

/** A person's signature under a version that is being signed. */
export interface PolicySignature {
  memberId: string;
  name: string;
  at: Date;
  /** In the organization's time zone. */
  on: string;
  hash: string;
}

/** Signatures that were not withdrawn, first ones first. */
async function readPolicySignatures(
  database: Queryable,
  organizationId: string,
  version: number,
): Promise<PolicySignature[]> {
  const { rows } = await database.query<PolicySignature>({
    name: "read_policy_signatures",
    text: `select s.user_id as "memberId", u.name, s.signed_at as at, s.signed_on::text as "on", s.subject_hash as hash
      from signatures s join users u on u.id = s.user_id
     where s.organization_id = $1 and s.subject_kind = 'POLICY' and s.subject_id = $2 and s.withdrawn_at is null
     order by s.signed_at, s.id limit 100`,
    values: [organizationId, String(version)],
  });
  return rows;
}

/** What a signature binds to: the version, its text, and the version and text that it replaces. */
function policyHash(draft: PolicyVersion, inForce: PolicyVersion): string {
  const seen = [draft.version, draft.policy, inForce.version, inForce.policy];
  return createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
}

/** A draft with what its publication needs and has. */
export interface PolicySigning {
  draft: PolicyDraftRow;
  inForce: PolicyVersion;
  people: PolicyPerson[];
  hash: string;
  signatures: PolicySignature[];
  /** One or two: of the version in force, and of the draft if that asks for something else. */
  requirements: ChangeRequirement[];
  progress: Progress;
  /** How long signatures may take. */
  hours: number;
}

interface SigningSetting {
  organizationId: string;
  /** Who asks for the signatures where nobody has yet. */
  memberId: string;
  /** In the organization's time zone. */
  today: string;
}

/** Null: nothing is being written. */
export async function readPolicySigning(
  database: Queryable,
  { organizationId, memberId, today }: SigningSetting,
): Promise<PolicySigning | null> {
  const draft = await readPolicyDraft(database, organizationId);
  if (!draft) return null;
  const inForce = await readPolicyInForce(database, organizationId);
  const people = await readPolicyPeople(database, organizationId);
  const given = await readPolicySignatures(database, organizationId, draft.version);
  const hash = policyHash(draft, inForce);
  const signatures = given.filter((signature) => signature.hash === hash);
  const requesterId = draft.begunBy ?? memberId;
  const requirements = requirementsOfPublication({
    inForce: inForce.policy,
    next: draft.policy,
    requesterId,
    people,
  });
  const progress = progressOf(
    requirements.map(({ requirement }) => requirement),
    { signatures, people, requesterMemberIds: [requesterId], today },
  );
  return {
    draft,
    inForce,
    people,
    hash,
    signatures,
    requirements,
    progress,
    hours: signingHours(requirements),
  };
}
