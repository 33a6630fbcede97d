import { AppError } from "@/lib/contract/error";
import { MAXIMUM_PAYEES } from "@/lib/contract/payee";
import { type LookAlike, renderedName, skeletonOf } from "@/lib/contract/plain-text";
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

/** A person could not distinguish more. */
const MAXIMUM_ACCOUNTS = 2_000;

/**
 * By payee, an account or another payee whose name looks the same as its own, or as the one that waits: a person who pays or
 * confirms one may mean the other.
 */
export async function readPayeeLookAlikes(
  database: Queryable,
  organizationId: string,
): Promise<ReadonlyMap<string, LookAlike>> {
  const { rows } = await database.query<{ id: string; kind: "PAYEE" | "ACCOUNT"; name: string }>({
    name: "read_names_beside_payees",
    text: `
      (select p.id, 'PAYEE' as kind, named.name from payees p
        cross join lateral (
          select p.name union select d.name from payee_details d
           where d.organization_id = $1 and d.payee_id = p.id and d.state = 'WAITING') named
       where p.organization_id = $1 and p.removed_at is null order by p.id limit ${2 * MAXIMUM_PAYEES})
      union all
      (select a.id, 'ACCOUNT', a.name from accounts a
        where a.organization_id = $1 and a.deleted_at is null
          and not exists (select from payees p where p.organization_id = $1 and p.id = a.id)
        order by a.id limit ${MAXIMUM_ACCOUNTS})`,
    values: [organizationId],
  });
  const bySkeleton = new Map<string, typeof rows>();
  for (const row of rows) {
    const skeleton = skeletonOf(row.name);
    bySkeleton.set(skeleton, [...(bySkeleton.get(skeleton) ?? []), row]);
  }
  const alike = new Map<string, LookAlike>();
  for (const same of bySkeleton.values()) {
    for (const { id, kind, name } of same) {
      const other = same.find((one) => one.id !== id);
      if (kind === "PAYEE" && other) alike.set(id, { kind: other.kind, name, otherName: other.name });
    }
  }
  return alike;
}
