import type { TestDatabase } from "@/lib/testing/database";

/** What every request writes, whatever becomes of it: the audit log (with its chain) and its key's rate window. */
const WRITTEN_BY_EVERY_REQUEST = "^(audit_.*|rate_windows)$";

/** How many rows each table holds, without those that every request writes: what a refusal may not change. */
export async function countRows({ ownerPool }: Pick<TestDatabase, "ownerPool">) {
  const { rows: tables } = await ownerPool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ $1 order by 1`,
    [WRITTEN_BY_EVERY_REQUEST],
  );
  // One row a table, not one argument: a function takes a hundred, and there are more than fifty tables.
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"`);
  const { rows } = await ownerPool.query<{ counts: Record<string, number> }>(
    `select json_object_agg(name, n) as counts from (${counts.join(" union all ")}) counted`,
  );
  return rows[0]?.counts ?? {};
}

/** Everything stored of one organization, row by row: equal texts mean that nothing of it was touched. */
export async function readWholeOrganization(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
): Promise<Record<string, string[]>> {
  const { rows: tables } = await ownerPool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE' order by 1`,
  );
  const whole: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await ownerPool.query<{ row: string }>(
      `select r::text as row from "${name}" r where organization_id = $1 order by 1`,
      [organizationId],
    );
    whole[name] = rows.map(({ row }) => row);
  }
  return whole;
}
