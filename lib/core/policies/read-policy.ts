import { DEFAULT_POLICY, type Policy, policySchema } from "@/lib/contract/policies/policy";
import type { Queryable } from "@/lib/db/transaction";

/** A policy with its version; 0: the default. */
export interface PolicyVersion {
  version: number;
  policy: Policy;
}

const DEFAULT_VERSION: PolicyVersion = { version: 0, policy: DEFAULT_POLICY };

/** The policy in force, or the default. */
export async function readPolicyInForce(database: Queryable, organizationId: string): Promise<PolicyVersion> {
  const { rows } = await database.query<{ version: number; definition: unknown }>({
    name: "read_policy_in_force",
    text: `select version, definition from approval_policies where organization_id = $1 and state = 'IN_FORCE'`,
    values: [organizationId],
  });
  return rows[0] ? toVersion(rows[0]) : DEFAULT_VERSION;
}

/**
 * The version that a proposal was born under, then the one in force if that is another one: their requirements all hold.
 * @param bornUnder null: none was in force
 */
export async function readPoliciesOf(
  database: Queryable,
  organizationId: string,
  bornUnder: number | null,
): Promise<PolicyVersion[]> {
  const { rows } = await database.query<{ version: number; definition: unknown }>({
    name: "read_policies_of_proposal",
    text: `select version, definition from approval_policies
            where organization_id = $1 and (state = 'IN_FORCE' or version = $2) order by version`,
    values: [organizationId, bornUnder ?? 0],
  });
  const found = rows.map(toVersion);
  return bornUnder === null || bornUnder === 0 ? [DEFAULT_VERSION, ...found] : found;
}

/** One version in any state; null: there is none. */
export async function readPolicyVersion(
  database: Queryable,
  organizationId: string,
  version: number,
): Promise<PolicyVersion | null> {
  if (version === 0) return DEFAULT_VERSION;
  const { rows } = await database.query<{ version: number; definition: unknown }>({
    name: "read_policy_version",
    text: "select version, definition from approval_policies where organization_id = $1 and version = $2",
    values: [organizationId, version],
  });
  return rows[0] ? toVersion(rows[0]) : null;
}

/** A stored definition that this version of Sluice cannot read stops a decision rather than weakening it. */
function toVersion({ version, definition }: { version: number; definition: unknown }): PolicyVersion {
  return { version, policy: policySchema.parse(definition) };
}
