import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { Context } from "@/lib/core/shared/context";
import type { Party } from "@/lib/core/transfers/decide-transfer";
import type { Queryable } from "@/lib/db/transaction";

interface PartyRow {
  id: string;
  name: string;
  type: AccountType;
  external_account_type: ExternalAccountType | null;
  deleted_at: Date | null;
}

/** The two accounts of a proposed transfer; null for what is not this organization's. One round trip. */
export async function findParties(
  services: { pool: Queryable },
  context: Context,
  route: { sourceAccountId: string; destinationAccountId: string },
): Promise<{ source: Party | null; destination: Party | null }> {
  const { rows } = await services.pool.query<PartyRow>({
    name: "find_parties",
    text: `select id, name, type, external_account_type, deleted_at from accounts
            where organization_id = $1 and id in ($2, $3)`,
    values: [context.organizationId, route.sourceAccountId, route.destinationAccountId],
  });
  const find = (id: string) => {
    const row = rows.find((candidate) => candidate.id === id);
    return row ? toParty(row) : null;
  };
  return { source: find(route.sourceAccountId), destination: find(route.destinationAccountId) };
}

function toParty(row: PartyRow): Party {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    externalAccountType: row.external_account_type,
    isClosed: row.deleted_at !== null,
  };
}
