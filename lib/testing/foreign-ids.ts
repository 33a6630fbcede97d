import type pg from "pg";
import { newId } from "@/lib/platform/ids";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Every id anywhere in a value: in fields, lists, addresses and forms. */
export function idsIn(value: unknown): string[] {
  const found = new Set<string>();
  replaceIds(value, (id) => {
    found.add(id);
    return id;
  });
  return [...found];
}

/** The same value with its ids replaced wherever they occur; forms are copied. */
export function replaceIds(value: unknown, replace: (id: string) => string): unknown {
  if (typeof value === "string") return value.replace(UUID, (id) => replace(id));
  if (Array.isArray(value)) return value.map((one) => replaceIds(one, replace));
  if (value instanceof FormData) {
    const form = new FormData();
    for (const [name, field] of value.entries()) {
      form.append(name, typeof field === "string" ? field.replace(UUID, (id) => replace(id)) : field);
    }
    return form;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaceIds(field, replace)]));
}

/** A well-formed id of nothing. */
export const idOfNothing = (now: Date) => newId(now);

/** A response without what differs between two requests for the same thing: ids, random and time-dependent values. */
export function comparable(answer: string): string {
  return answer
    .replace(UUID, "<id>")
    .replace(/\b[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}\b/g, "<request>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<instant>");
}

/** The rows of every table for an organization, by count and newest version: any write shows. */
export async function readTenantRows(
  ownerPool: Pick<pg.Pool, "query">,
  organizationId: string,
): Promise<Record<string, string>> {
  const { rows } = await ownerPool.query<{ name: string; state: string }>({
    // Prepared once: planning a query of all tables takes longer than running it.
    name: "read_tenant_rows",
    text: await tenantRowsQuery(ownerPool),
    values: [organizationId],
  });
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** Each database's own, since the tables are those of its migrations. */
const tenantRowsQueries = new WeakMap<object, string>();

async function tenantRowsQuery(ownerPool: Pick<pg.Pool, "query">): Promise<string> {
  const known = tenantRowsQueries.get(ownerPool);
  if (known !== undefined) return known;
  const { rows } = await ownerPool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
      order by 1`,
  );
  const tables = [
    { name: "organizations", key: "id" },
    ...rows.map(({ name }) => ({ name, key: "organization_id" })),
  ];
  // As text, so that no index is opened: the few rows of a test are read faster without.
  const query = tables
    .map(
      ({ name, key }) =>
        `select '${name}' as name, concat_ws(' ', count(*), sum(xmin::text::bigint)) as state from ${name} where ${key}::text = $1`,
    )
    .join(" union all ");
  tenantRowsQueries.set(ownerPool, query);
  return query;
}
