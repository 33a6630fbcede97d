import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createClient } from "@/lib/db/client";
import { SUPERUSER } from "@/lib/db/embedded";
import { hasCode } from "@/lib/platform/error-code";
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./embedded";
import { type Engine, readServerVersion } from "./engine";
import { withStartLock } from "./start-lock";

export const EMBEDDED_OWNER_ROLE = "sluice_owner";
export const EMBEDDED_APPLICATION_ROLE = "sluice_app";
const DATABASE = "sluice";

const ACCEPT_TIMEOUT_MS = 30_000;
const RETRY_MS = 50;
const MISSING_DATABASE = "3D000";
const MISSING_ROLE = "28000";
/** The server is starting or stopping; the supervisor starts another one. */
const PASSING_STATES = ["57P03", "57P01", "ECONNREFUSED", "ENOENT", "ECONNRESET"];

/**
 * The embedded server with its owner role and database, created at the first start. The owner is not a superuser:
 * migrations run with the same rights here as on a managed PostgreSQL.
 */
export async function openEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const server = await startEmbedded(options);
  const owner = embeddedConnection(server, EMBEDDED_OWNER_ROLE, DATABASE);
  let version: string;
  try {
    if (!(await exists(owner))) await createOwnedDatabase(server, DATABASE);
    const client = await connectWhenAccepting(owner);
    version = await readServerVersion(client).finally(() => client.end());
  } catch (error) {
    await server.leave();
    throw error;
  }
  return {
    description: `embedded PostgreSQL ${version} in ${options.dataDirectory}`,
    owner,
    application: embeddedConnection(server, EMBEDDED_APPLICATION_ROLE, DATABASE),
    applicationRole: EMBEDDED_APPLICATION_ROLE,
    applicationPassword: null,
    leave: server.leave,
  };
}

export function embeddedConnection(
  server: Pick<EmbeddedServer, "host" | "port">,
  user: string,
  database: string,
): pg.ClientConfig {
  // Set explicitly, or PGSSLMODE and PGPASSWORD of the environment would apply.
  return { host: server.host, port: server.port, user, database, ssl: false, password: "" };
}

/** As the superuser, which only the account that owns the data folder can be: for the archive. */
export function asSuperuser({ host, port }: pg.ClientConfig): pg.ClientConfig {
  return embeddedConnection({ host: host ?? "", port: port ?? 0 }, SUPERUSER, "postgres");
}

/** The folder of the cluster in a data folder. */
export function clusterPath(dataDirectory: string): string {
  return join(dataDirectory, "postgres", "data");
}

/** Creates the owner role and its database unless they exist; several processes may try at once. */
export async function createOwnedDatabase(
  server: Pick<EmbeddedServer, "host" | "port">,
  database: string,
): Promise<void> {
  await withSuperuser(server, (superuser) =>
    withStartLock(superuser, async () => {
      const role = await superuser.query("select from pg_roles where rolname = $1", [EMBEDDED_OWNER_ROLE]);
      if (role.rowCount === 0) await superuser.query(`create role ${EMBEDDED_OWNER_ROLE} login createrole`);
      const found = await superuser.query("select from pg_database where datname = $1", [database]);
      if (found.rowCount !== 0) return;
      await superuser.query(`create database ${pg.escapeIdentifier(database)} owner ${EMBEDDED_OWNER_ROLE}`);
    }),
  );
}

/** Runs `fn` on a superuser connection, which only the account that owns the data folder can open. */
export async function withSuperuser<T>(
  server: Pick<EmbeddedServer, "host" | "port">,
  fn: (superuser: pg.Client) => Promise<T>,
): Promise<T> {
  const superuser = await connectWhenAccepting(embeddedConnection(server, SUPERUSER, "postgres"));
  try {
    return await fn(superuser);
  } finally {
    await superuser.end();
  }
}

async function exists(connection: pg.ClientConfig): Promise<boolean> {
  try {
    const client = await connectWhenAccepting(connection);
    await client.end();
    return true;
  } catch (error) {
    if (hasCode(error, MISSING_DATABASE, MISSING_ROLE)) return false;
    throw error;
  }
}

async function connectWhenAccepting(connection: pg.ClientConfig): Promise<pg.Client> {
  const deadline = performance.now() + ACCEPT_TIMEOUT_MS;
  for (;;) {
    const client = createClient({ ...connection, connectionTimeoutMillis: ACCEPT_TIMEOUT_MS });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (performance.now() > deadline || !hasCode(error, ...PASSING_STATES)) throw error;
      await pause(RETRY_MS);
    }
  }
}
