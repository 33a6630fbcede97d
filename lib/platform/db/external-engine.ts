import pg from "pg";
import type { Config } from "@/lib/platform/config";
import { applicationPassword } from "./application-role";
import type { Engine } from "./engine";
import { assertOwnerPrivileges } from "./owner-privileges";
import { loadSecret } from "./secret";

/** PostgreSQL cuts longer names off, silently. */
const MAX_NAME_BYTES = 63;

/**
 * The PostgreSQL of DATABASE_URL, whose user owns the schema. The application connects as a role of its own, whose
 * password follows from the secret.
 * @throws Error when it cannot be reached, is older than 15, or its user lacks rights (with the statements to run).
 */
export async function openExternalEngine(
  config: Pick<Config, "databaseUrl" | "databaseAppRole" | "secret" | "dataDirectory">,
): Promise<Engine> {
  const owner = { connectionString: config.databaseUrl ?? "" };
  const { database, host, port } = await inspect(owner);
  const role = config.databaseAppRole ?? `${database}_app`;
  if (Buffer.byteLength(role) > MAX_NAME_BYTES) {
    throw new Error(`The role name ${role} is longer than ${MAX_NAME_BYTES} bytes: set DATABASE_APP_ROLE.`);
  }
  const password = applicationPassword(await loadSecret(config), role);
  return {
    description: `PostgreSQL at ${host}:${port}, database ${database}`,
    owner,
    application: { connectionString: withCredentials(owner.connectionString, role, password) },
    applicationRole: role,
    applicationPassword: password,
    leave: async () => {},
  };
}

async function inspect(connection: pg.ClientConfig) {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: "sluice",
  });
  const { host, port, database = "" } = client;
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`DATABASE_URL: no connection to ${host}:${port}, database ${database}: ${reason}`, {
      cause: error,
    });
  }
  try {
    await assertOwnerPrivileges(client);
    return { host, port, database };
  } finally {
    await client.end();
  }
}

/** As parameters, which count more than the part before the `@`, and which an address without a host can have, too. */
function withCredentials(databaseUrl: string, user: string, password: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("user", user);
  url.searchParams.set("password", password);
  return url.toString();
}
