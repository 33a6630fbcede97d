import type { Context } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import { type DeniedRequest, deniedRequest } from "@/lib/core/shared/repeated-denial";
import type { Party } from "@/lib/core/transfers/decide-transfer";
import type { Queryable } from "@/lib/db/transaction";

interface Asked {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/** SQL: whether the bank has a reference for the account `a`: of a confirmed payee, or of a connected account. */
export const IS_REGISTERED = `(a.is_payee or a.type = 'EXTERNAL_ACCOUNT' and exists (
  select from registered_accounts r
   where r.organization_id = a.organization_id and r.account_id = a.id and r.bank_reference is not null))`;

const findPartiesOf = groupStatements<
  Asked & { organizationId: string; callerId: string; now: Date },
  { parties: Party[]; denied: DeniedRequest | null }
>({
  name: "find_parties",
  text: `
    select coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type,
            'externalAccountType', a.external_account_type, 'isClosed', a.deleted_at is not null,
            'isRegistered', ${IS_REGISTERED}))
          from accounts a
         where a.organization_id = i.organization_id and a.id in (i.source_id, i.destination_id)), '[]') as parties,
        ${deniedRequest("i.organization_id", "i.caller_id", "concat_ws(' ', i.source_id, i.destination_id, i.in_cents)", "i.now")} as denied
      from rows from (jsonb_to_recordset($1::jsonb)
             as ("organizationId" uuid, "sourceAccountId" uuid, "destinationAccountId" uuid, "callerId" uuid,
               "amountInCents" bigint, now timestamptz))
           with ordinality as i (organization_id, source_id, destination_id, caller_id, in_cents, now, place)
     order by i.place`,
  // It locks nothing.
  compare: () => 0,
});

export interface Parties {
  /** Null for another organization's. */
  source: Party | null;
  destination: Party | null;
  /** A person denied the same request of this caller and does not want it again now. */
  denied: DeniedRequest | null;
}

/** The two accounts of a requested transfer, in a round trip shared with concurrent ones. No denial holds a member back. */
export async function findParties(
  services: { pool: Queryable },
  { organizationId, actor, now }: Pick<Context, "organizationId" | "now"> & { actor: { id: string } },
  { sourceAccountId, destinationAccountId, amountInCents }: Asked,
): Promise<Parties> {
  const { parties, denied } = await findPartiesOf(services.pool, {
    organizationId,
    sourceAccountId,
    destinationAccountId,
    callerId: actor.id,
    amountInCents,
    now,
  });
  const find = (id: string) => parties.find((party) => party.id === id) ?? null;
  return { source: find(sourceAccountId), destination: find(destinationAccountId), denied };
}
