import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

export interface PutMandate {
  organizationId: string;
  apiKeyId: string;
  memberId: string;
  terms: MandateTerms;
  timeZone: string;
  now: Date;
}

/** Puts a mandate in force at once, as the last signature would where no policy says who must sign. @returns its id */
export async function putMandate(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  { organizationId, apiKeyId, memberId, terms, timeZone, now }: PutMandate,
): Promise<string> {
  const id = newId(now);
  await ownerPool.query(
    `insert into mandates (organization_id, id, api_key_id, state, terms, proposed_by_kind, proposed_by_id,
        proposed_by_name, time_zone, created_at, expires_at, signed_hash, payee_versions, policy_version, signed_at)
      values ($1, $2, $3, 'IN_FORCE', $4, 'MEMBER', $5, 'Mara', $6, $7, $7, 'put in force by a test', '{}', 0, $7)`,
    [organizationId, id, apiKeyId, JSON.stringify(terms), memberId, timeZone, now],
  );
  return id;
}
