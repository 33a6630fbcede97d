import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { createClient } from "@/lib/db/client";
import type { Engine } from "@/lib/db/engine";
import { type MigrateOptions, migrate } from "@/lib/db/migrate";
import { withStartLock } from "@/lib/db/start-lock";
import { hasCode } from "@/lib/platform/error-code";
import { projectPath } from "@/lib/platform/project-path";

const CONNECTION_TIMEOUT_MS = 10_000;

interface PrepareOptions extends Partial<Pick<MigrateOptions, "log" | "beforeMigrating">> {
  /** Schema folder other than this one, for tests. */
  schemaDirectory?: string;
}

/**
 * What every start does as the owner of the database before the application connects: creates its role, then applies
 * migrations and functions. Safe to run from several processes at once.
 * @returns the names of the migrations that were applied now
 */
export async function prepareDatabase(
  engine: Pick<Engine, "owner" | "applicationRole" | "applicationPassword">,
  { schemaDirectory = projectPath("lib/db"), ...options }: PrepareOptions = {},
): Promise<string[]> {
  const owner = createClient({
    ...engine.owner,
    application_name: "sluice-migrations",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  await owner.connect();
  try {
    await withStartLock(owner, () =>
      ensureApplicationRole(owner, engine.applicationRole, engine.applicationPassword),
    );
    return await migrate(owner, {
      schemaDirectory,
      applicationRole: engine.applicationRole,
      ...options,
    });
  } finally {
    await owner.end();
  }
}

const ITERATIONS = 4096;

const PASSWORD_BYTES = 32;
const SALT_BYTES = 16;
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * The password of the application's role, derived so that every process with the secret knows it and nobody configures
 * it.
 */
export function applicationPassword(secret: string, role: string): string {
  const key = hkdfSync("sha256", secret, "", `sluice/database-role/${role}`, PASSWORD_BYTES);
  return Buffer.from(key).toString("base64url");
}

/**
 * Creates or updates the role that the application connects as. It owns nothing and has only the privileges that
 * migrations grant: a bug in the application (SQL injection included) cannot rewrite the books. Run it inside the start
 * lock.
 * @param owner connected as the owner of the database, who has CREATEROLE
 * @param password null if the server asks for none (embedded)
 * @throws Error if the role exists and has powers that it must not have, or this owner may not alter it
 */
export async function ensureApplicationRole(
  owner: pg.Client,
  role: string,
  password: string | null,
): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const { rowCount } = await owner.query("select from pg_roles where rolname = $1", [role]);
  if (rowCount === 0) await owner.query(`create role ${name} login`);
  if (password !== null) await setPassword(owner, role, password);
  await assertPowerless(owner, role);
  const { rows } = await owner.query<{ name: string }>("select current_database() as name");
  await restrictDatabase(owner, rows[0]?.name ?? "", role);
  await owner.query(`grant usage on schema public to ${name}; revoke create on schema public from public`);
}

/**
 * Privileges on the database itself, which a copy of a template does not inherit.
 * @param client connected to any database of the server, as the owner of this one or a superuser
 */
export async function restrictDatabase(client: pg.Client, database: string, role: string): Promise<void> {
  const [of, to] = [pg.escapeIdentifier(database), pg.escapeIdentifier(role)];
  await client.query(`
    grant connect on database ${of} to ${to};
    -- A temporary table would hide a real one of the same name from everything that names it without a schema.
    revoke temporary on database ${of} from public`);
}

async function setPassword(owner: pg.Client, role: string, password: string): Promise<void> {
  const verifier = pg.escapeLiteral(scramVerifier(password, randomBytes(SALT_BYTES)));
  try {
    await owner.query(`alter role ${pg.escapeIdentifier(role)} login password ${verifier}`);
  } catch (error) {
    if (!hasCode(error, INSUFFICIENT_PRIVILEGE)) throw error;
    throw new Error(
      `The role ${role} exists and was made by someone else. As that user or a superuser, run:\n` +
        `  GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(owner.user ?? "")} WITH ADMIN OPTION;`,
      { cause: error },
    );
  }
}

/** An existing role could be anything; using a powerful one would silently undo the protection. */
async function assertPowerless(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ power: string }>(
    `select power
       from pg_roles r
      cross join lateral (values
        ('has SUPERUSER', r.rolsuper),
        ('has CREATEROLE', r.rolcreaterole),
        ('has CREATEDB', r.rolcreatedb),
        ('has BYPASSRLS', r.rolbypassrls),
        ('has REPLICATION', r.rolreplication),
        ('is a member of another role', exists (select from pg_auth_members m where m.member = r.oid)),
        ('owns something', exists (
           select from pg_shdepend d
            where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o'))
      ) as powers (power, held)
      where r.rolname = $1 and held`,
    [role],
  );
  if (rows.length === 0) return;
  const powers = rows.map(({ power }) => power).join(", ");
  throw new Error(
    `The application's database role ${role} must have no powers of its own, but it ${powers}.`,
  );
}

/**
 * What PostgreSQL stores for a password (RFC 5803, SCRAM-SHA-256). Sending this keeps the password itself out of the
 * server's log, which may record every ALTER ROLE.
 * @param salt 16 bytes
 */
function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const sign = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(sign("Client Key")).digest("base64");
  const serverKey = sign("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
