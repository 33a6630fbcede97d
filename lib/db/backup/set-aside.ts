import pg from "pg";
import type { BackupTable } from "./backup-format";

interface Definition {
  drop: string;
  make: string;
}

/**
 * Empties the tables and takes away what would get in the way of loading them: triggers (they would move balances a
 * second time, and refuse what only the product may write), foreign keys (tables refer to each other in circles, and
 * their checks row by row would fill the memory) and indexes (made at once they are made faster). An owner who is no
 * superuser can do all of it; `session_replication_role` would take one.
 * @returns what puts everything back, each definition in PostgreSQL's own words, and fails unless all is as it was.
 */
export async function setAside(
  client: pg.Client,
  tables: readonly BackupTable[],
): Promise<() => Promise<void>> {
  const before = await describeSchema(client);
  const foreignKeys = await listForeignKeys(client);
  const indexes = await listIndexes(client);
  for (const { drop } of foreignKeys) await client.query(drop);
  const names = tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // What the migrations themselves have written is in the backup, too.
  await client.query(`truncate ${names.join(", ")}`);
  for (const { drop } of indexes) await client.query(drop);
  return async () => {
    for (const { make } of indexes) await client.query(make);
    for (const { make } of foreignKeys) await client.query(make);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    if ((await describeSchema(client)) !== before)
      throw new Error("The tables are not what the migrations had made of them: nothing was restored.");
  };
}

async function listForeignKeys(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
     order by conrelid::regclass::text, conname`);
  return rows;
}

/** Those that no constraint stands on: the others are found by `on conflict` and by the foreign keys. */
async function listIndexes(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
      from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = i.indrelid and d.deptype = 'e')
     order by c.relname`);
  return rows;
}

/** Every constraint, index and trigger, as one text. */
async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    select string_agg(line, E'\\n' order by line) as text from (
      select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all
      select format('%s %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
        from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
      union all
      select format('%s %s', pg_get_triggerdef(t.oid), t.tgenabled)
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'public'::regnamespace and not t.tgisinternal) as lines (line)`);
  return rows[0]?.text ?? "";
}
