import { AppError } from "@/lib/contract/error";
import { MAXIMUM_PAYEES } from "@/lib/contract/payee";
import { renderedName } from "@/lib/contract/plain-text";
import type { Queryable } from "@/lib/db/transaction";

/**
 * The names that are taken, as they render. What programs only proposed takes no name.
 * @param except a payee whose own name does not count
 */
export async function readTakenNames(
  database: Queryable,
  organizationId: string,
  except: string | null = null,
): Promise<Set<string>> {
  const { rows } = await database.query<{ name: string }>({
    name: "read_taken_payee_names",
    text: `select name from payees where organization_id = $1 and removed_at is null
        and (version > 0 or proposed_by_kind = 'MEMBER') and id is distinct from $2::uuid limit ${MAXIMUM_PAYEES}`,
    values: [organizationId, except],
  });
  return new Set(rows.map(({ name }) => renderedName(name)));
}

/** Under `lockPayeeList`. @throws AppError `INVALID_PARAMETERS` */
export async function requireNewName(
  client: Queryable,
  organizationId: string,
  payeeId: string | null,
  name: string,
): Promise<void> {
  const taken = await readTakenNames(client, organizationId, payeeId);
  if (!taken.has(renderedName(name))) return;
  const message = "A payee with this name already exists.";
  throw new AppError("INVALID_PARAMETERS", message, [{ field: "name", message }]);
}

/** Under `lockPayeeList`: two payees that can be paid never have one name. @throws AppError `INVALID_PARAMETERS` */
export async function requireOneOfItsName(
  client: Queryable,
  organizationId: string,
  detailsId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; otherName: string }>({
    name: "read_names_of_confirmed_payees",
    text: `select d.name, p.name as "otherName" from payee_details d
       join payees p on p.organization_id = $1 and p.id <> d.payee_id and p.version > 0 and p.removed_at is null
      where d.organization_id = $1 and d.id = $2 limit ${MAXIMUM_PAYEES}`,
    values: [organizationId, detailsId],
  });
  if (rows.every(({ name, otherName }) => renderedName(name) !== renderedName(otherName))) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    "A confirmed payee already has this name. Nothing was changed. Give this one another name first.",
  );
}
