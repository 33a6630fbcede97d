import type pg from "pg";

/** A PostgreSQL that Sluice runs on, not yet prepared. */
export interface Engine {
  /** For people: which database this is, without a password. */
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
