import {
  DEFAULT_POLICY,
  type Policy,
  type PolicyRule,
  type Requirement,
  type Stage,
} from "@/lib/contract/policies/policy";
import type { TestDatabase } from "@/lib/testing/database";

/** Puts a policy in force at once, as its publication would. @returns its version */
export async function putInForce(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
  userId: string,
  policy: Policy,
): Promise<number> {
  await ownerPool.query(
    `update approval_policies set state = 'REPLACED', replaced_at = now()
      where organization_id = $1 and state = 'IN_FORCE'`,
    [organizationId],
  );
  const { rows } = await ownerPool.query<{ version: number }>(
    `insert into approval_policies (organization_id, version, state, definition, created_by, created_at, updated_at,
        published_at)
      select $1, coalesce(max(version), 0) + 1, 'IN_FORCE', $2, $3, now(), now(), now() from approval_policies
        where organization_id = $1
      returning version`,
    [organizationId, JSON.stringify(policy), userId],
  );
  return rows[0]?.version ?? 0;
}

/** A stage of owners and co-owners, of whom so many sign. */
export const anyDeciders = (atLeast: number): Stage => ({
  of: { roles: ["OWNER", "CO_OWNER"] },
  atLeast,
  deputies: [],
});

/** A stage of named people, of whom so many sign. */
export const named = (members: string[], atLeast = 1, deputies: Stage["deputies"] = []): Stage => ({
  of: { members },
  atLeast,
  deputies,
});

export const asks = (stages: Stage[], changed: Partial<Requirement> = {}): Requirement => ({
  ...DEFAULT_POLICY.otherwise,
  stages,
  ...changed,
});

export const policyOf = (otherwise: Requirement, ...rules: PolicyRule[]): Policy => ({ rules, otherwise });
