import type pg from "pg";
import { z } from "zod";

/** A PostgreSQL that Sluice runs on, not yet prepared. */
export interface Engine {
  /** For people: which database this is and of which patch level, without a password. */
  description: string;
  /** Connection of the role that owns the schema: migrations only. */
  owner: pg.ClientConfig;
  /** Connection of the application's role, which `prepareDatabase` makes. */
  application: pg.ClientConfig;
  applicationRole: string;
  /** Null where the server asks for none. */
  applicationPassword: string | null;
  /** Call it when every connection is closed. */
  leave(): Promise<void>;
}

const versionRows = z.tuple([z.object({ version: z.string() })]);

/** The version of the server that a client is connected to, with its patch level: `18.4`. */
export async function readServerVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select current_setting('server_version') as version");
  const [{ version }] = versionRows.parse(rows);
  // Distributions add words of their own.
  return version.split(" ", 1)[0] ?? version;
}
