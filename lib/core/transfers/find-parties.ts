import type { Context } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import { type DeniedRequest, deniedRequest } from "@/lib/core/shared/repeated-denial";
import type { Party } from "@/lib/core/transfers/decide-transfer";
import type { Queryable } from "@/lib/db/transaction";

/** Another live transfer of the same route and amount in the last 24 hours. */
interface Repeated {
  isWaiting: boolean;
}

/** The latest transfers of one amount among which one of the same route is looked for: a bound for busy amounts. */
const LOOKED_THROUGH = 16;

/**
 * SQL: the latest transfer like `i` that waits, is on its way or was made, of business time's last 24 hours. Ids are in
 * order of time, so one short range of an index finds it.
 */
const REPEATED = `(
  select jsonb_build_object('isWaiting', latest.status = 'APPROVAL_PENDING') from (
    select t.* from transfers t
     where t.organization_id = i.organization_id and t.amount_in_cents = i.in_cents
       and t.id >= first_id_at(i.now - interval '1 day')
     order by t.id desc limit ${LOOKED_THROUGH}) latest
   where latest.source_account_id = i.source_id and latest.destination_account_id = i.destination_id
     and latest.execution_mode = 'LIVE' and latest.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')
   order by latest.id desc limit 1)`;

/** SQL: whether a live transfer has the external id of `i`. */
const REPEATS_EXTERNAL_ID = `(i.external_id is not null and exists (
  select from transfer_labels l
    join transfers t on t.organization_id = l.organization_id and t.id = l.transfer_id and t.execution_mode = 'LIVE'
   where l.organization_id = i.organization_id and l.external_id = i.external_id))`;

interface Asked {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  /** Of the program; absent or null: none. */
  externalId?: string | null;
}

/** SQL: whether the bank has a reference for the account `a`: of a confirmed payee, or of a connected account. */
export const IS_REGISTERED = `(a.is_payee or a.type = 'EXTERNAL_ACCOUNT' and exists (
  select from registered_accounts r
   where r.organization_id = a.organization_id and r.account_id = a.id and r.bank_reference is not null))`;

const findPartiesOf = groupStatements<
  Asked & { organizationId: string; callerId: string; now: Date },
  {
    parties: Party[];
    denied: DeniedRequest | null;
    repeats: Repeated | null;
    repeatsExternalId: boolean;
    hasPolicy: boolean;
    hasMandate: boolean;
  }
>({
  name: "find_parties",
  text: `
    select coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type,
            'externalAccountType', a.external_account_type, 'isClosed', a.deleted_at is not null,
            'isRegistered', ${IS_REGISTERED}))
          from accounts a
         where a.organization_id = i.organization_id and a.id in (i.source_id, i.destination_id)), '[]') as parties,
        ${deniedRequest("i.organization_id", "i.caller_id", "concat_ws(' ', i.source_id, i.destination_id, i.in_cents)", "i.now")} as denied,
        ${REPEATED} as repeats, ${REPEATS_EXTERNAL_ID} as "repeatsExternalId",
        exists (select from approval_policies policy
          where policy.organization_id = i.organization_id and policy.state = 'IN_FORCE') as "hasPolicy",
        exists (select from mandates mandate where mandate.organization_id = i.organization_id
          and mandate.api_key_id = i.caller_id and mandate.state = 'IN_FORCE') as "hasMandate"
      from rows from (jsonb_to_recordset($1::jsonb)
             as ("organizationId" uuid, "sourceAccountId" uuid, "destinationAccountId" uuid, "callerId" uuid,
               "amountInCents" bigint, now timestamptz, "externalId" text))
           with ordinality as i (organization_id, source_id, destination_id, caller_id, in_cents, now, external_id, place)
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
  repeats: Repeated | null;
  repeatsExternalId: boolean;
  /** Whether a policy in force says who must approve, and how long that may take. */
  hasPolicy: boolean;
  /** Whether its caller may move some money without asking, under a mandate. */
  hasMandate: boolean;
}

/** The two accounts of a requested transfer, in a round trip shared with concurrent ones. No denial holds a member back. */
export async function findParties(
  services: { pool: Queryable },
  { organizationId, actor, now }: Pick<Context, "organizationId" | "now"> & { actor: { id: string } },
  { sourceAccountId, destinationAccountId, amountInCents, externalId }: Asked,
): Promise<Parties> {
  const { parties, ...earlier } = await findPartiesOf(services.pool, {
    organizationId,
    sourceAccountId,
    destinationAccountId,
    callerId: actor.id,
    amountInCents,
    now,
    externalId: externalId ?? null,
  });
  const find = (id: string) => parties.find((party) => party.id === id) ?? null;
  return { source: find(sourceAccountId), destination: find(destinationAccountId), ...earlier };
}
