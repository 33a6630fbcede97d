import type { MovementOption } from "@/lib/contract/views/movements-view";
import type { Queryable } from "@/lib/db/transaction";

/** More than this in one choice nobody looks through. */
const MAXIMUM_OPTIONS = 500;

/** What the filters of the lists offer: accounts, callers and cards of the organization, also closed and revoked ones. */
export async function readMovementOptions(
  database: Queryable,
  organizationId: string,
): Promise<{
  managed: MovementOption[];
  outside: MovementOption[];
  askers: MovementOption[];
  cards: MovementOption[];
}> {
  const [accounts, askers, cards] = await Promise.all([
    database.query<MovementOption & { is_outside: boolean }>({
      name: "movement_account_options",
      text: `select id, case when deleted_at is null then name else name || ' (closed)' end as name,
                 type = 'EXTERNAL_ACCOUNT' as is_outside
               from accounts where organization_id = $1
              order by deleted_at is not null, lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
    database.query<MovementOption>({
      name: "movement_asker_options",
      text: `select id, case when revoked_at is null then name else name || ' (revoked)' end as name
               from api_keys where organization_id = $1
              order by revoked_at is not null, lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
    database.query<MovementOption>({
      name: "movement_card_options",
      text: `select id, name || ' ••••' || number_last4 as name from cards where organization_id = $1
              order by status = 'CLOSED', lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
  ]);
  const optionsOf = (isOutside: boolean) =>
    accounts.rows.filter((row) => row.is_outside === isOutside).map(({ id, name }) => ({ id, name }));
  return { managed: optionsOf(false), outside: optionsOf(true), askers: askers.rows, cards: cards.rows };
}
