import { type Policy, policyRequesterKindSchema } from "@/lib/contract/policies/policy";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { lintPolicy, type PolicyLint } from "@/lib/engine/policies/lint-policy";
import type { PolicyRequester } from "@/lib/engine/policies/match-policy";
import type { PossibleSigner } from "@/lib/engine/policies/progress-of";

interface LintSetting {
  organizationId: string;
  people: readonly PossibleSigner[];
  /** In the organization's time zone. */
  today: string;
}

/** Checks a policy against the members, keys, connections and rules that there are. */
export async function lintDraft(
  database: Queryable,
  policy: Policy,
  { organizationId, people, today }: LintSetting,
): Promise<PolicyLint> {
  const ids = policy.rules.flatMap(({ when }) => when.requesters?.ids ?? []);
  const requesters = ids.length === 0 ? [] : await readRequesters(database, organizationId, ids);
  return lintPolicy(policy, { people, requesters, today });
}

/** The keys, connections and rules among these ids. */
async function readRequesters(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<PolicyRequester[]> {
  const { rows } = await database.query<{ kind: string; id: string; memberId: string | null }>({
    name: "read_named_requesters",
    text: `select ${callerKind("'API_KEY'", "k.id")} as kind, k.id, k.created_by as "memberId" from api_keys k
            where k.organization_id = $1 and k.id = any ($2)
           union all
           select 'RULE', r.id, null from rules r where r.organization_id = $1 and r.id = any ($2)`,
    values: [organizationId, [...new Set(ids)]],
  });
  return rows.map(({ kind, id, memberId }) => ({
    kind: policyRequesterKindSchema.parse(kind),
    id,
    memberIds: memberId === null ? [] : [memberId],
  }));
}
