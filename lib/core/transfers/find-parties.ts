import type { Context } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import type { Party } from "@/lib/core/transfers/decide-transfer";
import type { Queryable } from "@/lib/db/transaction";

interface Route {
  sourceAccountId: string;
  destinationAccountId: string;
}

/** SQL: whether the bank has a reference for the account `a`: of a confirmed payee, or of a connected account. */
export const IS_REGISTERED = `(a.is_payee or a.type = 'EXTERNAL_ACCOUNT' and exists (
  select from registered_accounts r
   where r.organization_id = a.organization_id and r.account_id = a.id and r.bank_reference is not null))`;

const findPartiesOf = groupStatements<Route & { organizationId: string }, { parties: Party[] }>({
  name: "find_parties",
  text: `
    select coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type,
            'externalAccountType', a.external_account_type, 'isClosed', a.deleted_at is not null,
            'isRegistered', ${IS_REGISTERED}))
          from accounts a
         where a.organization_id = i.organization_id and a.id in (i.source_id, i.destination_id)), '[]') as parties
      from rows from (jsonb_to_recordset($1::jsonb)
             as ("organizationId" uuid, "sourceAccountId" uuid, "destinationAccountId" uuid))
           with ordinality as i (organization_id, source_id, destination_id, place)
     order by i.place`,
  // It locks nothing.
  compare: () => 0,
});

/** The two accounts of a proposed transfer, in a round trip shared with concurrent ones; null for another organization's. */
export async function findParties(
  services: { pool: Queryable },
  { organizationId }: Pick<Context, "organizationId">,
  { sourceAccountId, destinationAccountId }: Route,
): Promise<{ source: Party | null; destination: Party | null }> {
  const { parties } = await findPartiesOf(services.pool, {
    organizationId,
    sourceAccountId,
    destinationAccountId,
  });
  const find = (id: string) => parties.find((party) => party.id === id) ?? null;
  return { source: find(sourceAccountId), destination: find(destinationAccountId) };
}
