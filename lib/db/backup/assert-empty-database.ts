import type { Queryable } from "@/lib/db/transaction";

/**
 * @throws Error when the schema holds anything, be it of Sluice or of somebody else: a restore takes nobody's place.
 */
export async function assertEmptyDatabase(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname limit 1`);
  const [found] = rows;
  if (!found) return;
  throw new Error(
    `The database is not empty (it has a table ${found.name}), and nothing was changed. Restore into a new data folder ` +
      "(SLUICE_DATA_DIR) or a new database (DATABASE_URL), look at it, and let Sluice start there: what is here stays " +
      "as it is until you remove it yourself.",
  );
}
