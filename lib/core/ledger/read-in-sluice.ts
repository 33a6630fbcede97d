import { z } from "zod";
import type { InSluiceView } from "@/lib/contract/account";
import type { Queryable } from "@/lib/db/transaction";

/** One row: the money in the books of organization `$1`. Every page that shows the total selects it from here. */
export const IN_SLUICE = `
  select coalesce(sum(l.credits_in_cents - l.debits_in_cents), 0)::bigint as "totalInCents",
      coalesce(sum(l.credits_in_cents - l.debits_in_cents) filter (where a.deleted_at is not null), 0)::bigint
        as "closedInCents",
      (count(*) filter (where a.deleted_at is null))::int as "accountCount"
    from accounts a left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
   where a.organization_id = $1 and a.type <> 'EXTERNAL_ACCOUNT'`;

export const inSluiceSchema = z.object({
  totalInCents: z.int(),
  closedInCents: z.int(),
  accountCount: z.int(),
});

export async function readInSluice(database: Queryable, organizationId: string): Promise<InSluiceView> {
  const { rows } = await database.query({
    name: "read_in_sluice",
    text: IN_SLUICE,
    values: [organizationId],
  });
  return inSluiceSchema.parse(rows[0]);
}
