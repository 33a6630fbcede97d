import pg from "pg";
import { projectPath } from "@/lib/platform/project-path";
import { ensureApplicationRole } from "./application-role";
import type { Engine } from "./engine";
import { type MigrateOptions, migrate } from "./migrate";
import { withStartLock } from "./start-lock";

const CONNECTION_TIMEOUT_MS = 10_000;

export interface PrepareOptions extends Partial<Pick<MigrateOptions, "log" | "beforeMigrating">> {
  /** Another folder than this one: for tests. */
  schemaDirectory?: string;
}

/**
 * What every start does as the owner of the database, before the application connects: its role, then the migrations
 * and functions. Safe to run from several processes at once.
 * @returns the names of the migrations that were applied now
 */
export async function prepareDatabase(
  engine: Pick<Engine, "owner" | "applicationRole" | "applicationPassword">,
  { schemaDirectory = projectPath("lib/db"), ...options }: PrepareOptions = {},
): Promise<string[]> {
  const owner = new pg.Client({
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
