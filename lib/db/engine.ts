import type pg from "pg";
import { z } from "zod";

/** A PostgreSQL that Sluice runs on, not yet prepared. */
export interface Engine {
  /** Identifies the database and its version for people, without a password. */
  description: string;
  /** Connection of the role that owns the schema: migrations only. */
  owner: pg.ClientConfig;
  /** Connection of the application's role, which `prepareDatabase` creates. */
  application: pg.ClientConfig;
  applicationRole: string;
  /** Null if the server asks for none. */
  applicationPassword: string | null;
  /** Call it once every connection is closed. */
  leave(): Promise<void>;
}

const versionRows = z.tuple([z.object({ version: z.string() })]);

/** The version of the connected server with its patch level: `18.4`. */
export async function readServerVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select current_setting('server_version') as version");
  const [{ version }] = versionRows.parse(rows);
  // Distributions append text of their own.
  return version.split(" ", 1)[0] ?? version;
}
