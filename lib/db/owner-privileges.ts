import pg from "pg";

const MIN_VERSION = 15;

/**
 * Checks that the server is recent enough and that the user of DATABASE_URL may prepare the database.
 * @throws Error with the statements that a superuser must run.
 */
export async function assertOwnerPrivileges(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{
    version: number;
    versionName: string;
    database: string;
    role: string;
    isOwner: boolean;
    mayCreateRoles: boolean;
    mayCreateSchemas: boolean;
    mayCreateTables: boolean;
  }>(`
    select current_setting('server_version_num')::int / 10000                    as version,
           current_setting('server_version')                                     as "versionName",
           current_database()                                                    as database,
           current_user                                                          as role,
           pg_has_role(current_user, d.datdba, 'usage')                          as "isOwner",
           (r.rolcreaterole or r.rolsuper)                                       as "mayCreateRoles",
           has_database_privilege(current_user, d.oid, 'create')                 as "mayCreateSchemas",
           has_schema_privilege(current_user, 'public', 'usage')
             and has_schema_privilege(current_user, 'public', 'create')          as "mayCreateTables"
      from pg_database d, pg_roles r
     where d.datname = current_database() and r.rolname = current_user`);
  const found = rows[0];
  if (!found) throw new Error("The user of DATABASE_URL has no role in its database.");
  if (found.version < MIN_VERSION) {
    throw new Error(
      `DATABASE_URL leads to PostgreSQL ${found.versionName}; Sluice needs ${MIN_VERSION} or newer.`,
    );
  }
  const [role, database] = [pg.escapeIdentifier(found.role), pg.escapeIdentifier(found.database)];
  const missing = [
    found.isOwner || `ALTER DATABASE ${database} OWNER TO ${role};`,
    found.mayCreateRoles || `ALTER ROLE ${role} CREATEROLE;`,
    // These two come with the ownership, unless they were taken away.
    !found.isOwner || found.mayCreateSchemas || `GRANT CREATE ON DATABASE ${database} TO ${role};`,
    !found.isOwner || found.mayCreateTables || `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
  ].filter((statement) => typeof statement === "string");
  if (missing.length === 0) return;
  throw new Error(
    `The user ${role} of DATABASE_URL may not prepare the database ${database}. As a superuser, run:\n` +
      missing.map((statement) => `  ${statement}`).join("\n"),
  );
}
