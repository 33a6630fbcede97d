import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { createClient, findUnusableHosts } from "@/lib/db/client";
import { type Engine, readServerVersion } from "@/lib/db/engine";
import { applicationPassword } from "@/lib/db/prepare-database";
import { ANSWER_TIMEOUT_MS } from "@/lib/db/running-statements";
import { loadSecret } from "@/lib/db/secret";
import { judgeSecrets, readKeptKey, readSecretMarker, rolePurpose } from "@/lib/db/secret-marker";
import type { Config } from "@/lib/platform/config";
import {
  describePlace,
  readDatabaseAddress,
  withDatabase,
  withParameters,
} from "@/lib/platform/database-address";
import { hasCode } from "@/lib/platform/error-code";
import { createProductSecrets } from "@/lib/platform/product-secrets";

const MIN_VERSION = 15;

/** PostgreSQL silently truncates longer names. */
const MAX_NAME_BYTES = 63;

/** Not there, not reachable yet, or starting; other errors (a wrong password) do not resolve themselves. */
const NOT_UP_YET = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "57P03",
];
const RETRY_MS = 500;

export interface ExternalOptions {
  /** How long to wait for a server that is not up yet; 0: not at all. */
  waitMs?: number;
  log?: Pick<Logger, "warn">;
}

/**
 * The PostgreSQL of DATABASE_URL, whose user owns the schema. The application connects as its own role, with a password
 * derived from the secret.
 * @throws Error if it is unreachable or older than 15, or its user lacks rights (with the statements to run)
 */
export async function openExternalEngine(
  config: Pick<Config, "databaseUrl" | "databaseAppRole" | "secret" | "dataDirectory"> &
    Partial<Pick<Config, "previousSecret" | "isSecretLost">>,
  options: ExternalOptions = {},
): Promise<Engine> {
  const asWritten = { connectionString: config.databaseUrl ?? "" };
  const { database, host, port, version } = await inspect(asWritten, options);
  // Without a name, each role would look for a database of its own name.
  const owner = { connectionString: withDatabase(asWritten.connectionString, database) };
  await warnOfUnusableHosts(owner, options);
  const role = config.databaseAppRole ?? `${database}_app`;
  if (Buffer.byteLength(role) > MAX_NAME_BYTES) {
    throw new Error(`The role name ${role} is longer than ${MAX_NAME_BYTES} bytes: set DATABASE_APP_ROLE.`);
  }
  const password = await findPassword(owner, role, {
    secret: await loadSecret(config),
    previous: config.previousSecret ?? null,
    isLost: config.isSecretLost ?? false,
  });
  return {
    description: `PostgreSQL ${version} at ${host}:${port}, database ${database}`,
    owner,
    application: { connectionString: withParameters(owner.connectionString, { user: role, password }) },
    applicationRole: role,
    applicationPassword: password,
    leave: async () => {},
  };
}

/**
 * The role's password outlives the secret that it derives from: processes with the old and the new one connect at the
 * same time.
 * @throws Error in words if the secrets do not fit the database
 */
async function findPassword(
  owner: pg.ClientConfig,
  role: string,
  { secret, previous, isLost }: { secret: string; previous: string | null; isLost: boolean },
): Promise<string> {
  const client = await connectWhenUp(owner, {});
  try {
    const marker = await readSecretMarker(client);
    const judgment = judgeSecrets(marker, { secret, previous });
    if (judgment.kind === "REFUSED") {
      if (!isLost) throw new Error(judgment.problem);
      return applicationPassword(secret, role);
    }
    const kept = await readKeptKey(client, createProductSecrets(secret, previous), rolePurpose(role));
    if (kept !== null) return kept;
    return applicationPassword(judgment.kind === "BEGIN" && previous !== null ? previous : secret, role);
  } finally {
    await client.end();
  }
}

async function inspect(connection: pg.ClientConfig, options: ExternalOptions) {
  const client = await connectWhenUp(connection, options);
  const { host, port, database = "" } = client;
  try {
    await assertOwnerPrivileges(client);
    return { host, port, database, version: await readServerVersion(client) };
  } finally {
    await client.end();
  }
}

/** Nothing else would tell before the day on which the others are needed. */
async function warnOfUnusableHosts(connection: pg.ClientConfig, { log }: ExternalOptions): Promise<void> {
  if (!log) return;
  const reasons = await findUnusableHosts({ ...connection, query_timeout: ANSWER_TIMEOUT_MS });
  if (reasons.length > 0)
    log.warn({ reasons }, "a host of DATABASE_URL could not take over from the primary");
}

/** At boot, Sluice starts beside its database: a server that is not up yet is retried for a while. */
async function connectWhenUp(
  connection: pg.ClientConfig,
  { waitMs = 0, log }: ExternalOptions,
): Promise<pg.Client> {
  const deadline = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    const client = createClient({
      ...connection,
      connectionTimeoutMillis: 10_000,
      query_timeout: ANSWER_TIMEOUT_MS,
      application_name: "sluice",
    });
    const { host, port, database = "" } = client;
    const { places } = readDatabaseAddress(connection.connectionString ?? "");
    // An address without a host leads where `pg` says; a list, to whichever is the primary.
    const place = places.length > 1 ? places.map(describePlace).join(", ") : `${host}:${port}`;
    try {
      await client.connect();
      return client;
    } catch (error) {
      const reason = error instanceof Error ? error.message || describeCode(error) : String(error);
      if (!hasCode(error, ...NOT_UP_YET) || performance.now() + RETRY_MS > deadline)
        throw new Error(`DATABASE_URL: no connection to ${place}, database ${database}: ${reason}`, {
          cause: error,
        });
      if (attempt === 1)
        log?.warn({ host, port, places: places.length, waitMs, reason }, "waiting for the database");
      await pause(RETRY_MS);
    }
  }
}

/** For a name with several addresses, Node's error for all of them has a code and no message. */
function describeCode(error: Error): string {
  return "code" in error ? String(error.code) : error.name;
}

/**
 * Checks that the server is recent enough and that the user of DATABASE_URL can prepare the database.
 * @throws Error with the statements that a superuser must run
 */
async function assertOwnerPrivileges(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{
    version: number;
    versionName: string;
    database: string;
    role: string;
    isOwner: boolean;
    mayCreateRoles: boolean;
    mayCreateSchemas: boolean;
    mayCreateTables: boolean;
    isStandby: boolean;
    isReadOnly: boolean;
  }>(`
    select pg_is_in_recovery()                                                    as "isStandby",
           current_setting('default_transaction_read_only')::boolean              as "isReadOnly",
           current_setting('server_version_num')::int / 10000                    as version,
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
  if (found.isStandby) {
    throw new Error(
      "DATABASE_URL leads to a standby, which takes no writes. Give the address of the primary, or one that follows it.",
    );
  }
  if (found.isReadOnly) {
    throw new Error(
      `DATABASE_URL leads to a database that is read-only (default_transaction_read_only) for ${found.role}.`,
    );
  }
  const [role, database] = [pg.escapeIdentifier(found.role), pg.escapeIdentifier(found.database)];
  const missing = [
    found.isOwner || `ALTER DATABASE ${database} OWNER TO ${role};`,
    found.mayCreateRoles || `ALTER ROLE ${role} CREATEROLE;`,
    // Ownership implies these two unless they were revoked.
    !found.isOwner || found.mayCreateSchemas || `GRANT CREATE ON DATABASE ${database} TO ${role};`,
    !found.isOwner || found.mayCreateTables || `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
  ].filter((statement) => typeof statement === "string");
  if (missing.length === 0) return;
  throw new Error(
    `The user ${role} of DATABASE_URL may not prepare the database ${database}. As a superuser, run:\n` +
      missing.map((statement) => `  ${statement}`).join("\n"),
  );
}
