import type { Policy, PolicyRequesterKind } from "@/lib/contract/policies/policy";
import type { Queryable } from "@/lib/db/transaction";

/** Who requests, as policies name it. */
export interface NamedRequester {
  kind: PolicyRequesterKind;
  id: string | null;
}

interface Where {
  database: Queryable;
  organizationId: string;
}

/**
 * The keys that a requesting key replaced, one after the other: replacing a key must not take it out of a rule that names it.
 * Reads nothing unless a rule of these policies names requesters.
 */
export async function readReplacedKeys(
  { database, organizationId }: Where,
  policies: readonly { policy: Policy }[],
  { kind, id }: NamedRequester,
): Promise<string[]> {
  const namesSome = policies.some(({ policy }) =>
    policy.rules.some(({ when }) => when.requesters?.ids !== undefined),
  );
  if (kind !== "API_KEY" || id === null || !namesSome) return [];
  const { rows } = await database.query<{ id: string }>({
    name: "read_replaced_keys",
    text: "select replaced_keys as id from replaced_keys($1, array[$2::uuid]) where replaced_keys <> $2",
    values: [organizationId, id],
  });
  return rows.map((row) => row.id);
}
