import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { TransferDirection } from "@/lib/contract/transfer";
import { readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import { type PolicyVersion, readPolicyInForce } from "@/lib/core/policies/read-policy";
import { readReplacedKeys } from "@/lib/core/policies/replaced-keys";
import type { Queryable } from "@/lib/db/transaction";
import {
  type MandateRequirement,
  type MandateRoute,
  requirementsOfMandate,
} from "@/lib/engine/mandates/requirements-of-mandate";

/** What the policy in force asks for a mandate: for any transfer inside it. */
export async function readMandateRequirements(
  database: Queryable,
  /** `now` is business time. */
  { organizationId, now }: { organizationId: string; now: Date },
  { id, apiKeyId, terms }: { id: string; apiKeyId: string; terms: MandateTerms },
): Promise<{ inForce: PolicyVersion; requirements: MandateRequirement[] }> {
  const ids = terms.destinationAccountIds;
  const [inForce, payees, directions] = [
    await readPolicyInForce(database, organizationId),
    await readPaidPayees(database, organizationId, ids, id, now),
    await readDirections(database, organizationId, ids),
  ];
  const novelties = new Map(payees.map(({ id: payeeId, novelty }) => [payeeId, novelty]));
  const routes = routesOf(terms, directions, novelties);
  const replacedIds = await readReplacedKeys({ database, organizationId }, [inForce], {
    kind: "API_KEY",
    id: apiKeyId,
  });
  const reach = { apiKeyIds: [apiKeyId, ...replacedIds], terms, routes };
  return { inForce, requirements: requirementsOfMandate(inForce.policy, reach) };
}

function routesOf(
  terms: MandateTerms,
  directions: ReadonlyMap<string, TransferDirection>,
  novelties: ReadonlyMap<string, "FIRST" | "CHANGED" | null>,
): MandateRoute[] {
  return terms.sourceAccountIds.flatMap((sourceAccountId) =>
    terms.destinationAccountIds.map((destinationAccountId) => {
      const novelty = novelties.get(destinationAccountId) ?? null;
      return {
        sourceAccountId,
        destinationAccountId,
        direction: directions.get(destinationAccountId) ?? "MONEY_OUT",
        novelty: novelty === "FIRST" ? "NEW" : novelty,
      };
    }),
  );
}

/** By destination: a source is always an account that Sluice manages. */
async function readDirections(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, TransferDirection>> {
  const { rows } = await database.query<{ id: string; direction: TransferDirection }>({
    name: "read_directions_of_mandate",
    text: `select id, case when type = 'EXTERNAL_ACCOUNT' then 'MONEY_OUT' else 'INTERNAL' end as direction
             from accounts where organization_id = $1 and id = any ($2)`,
    values: [organizationId, ids],
  });
  return new Map(rows.map(({ id, direction }) => [id, direction]));
}
