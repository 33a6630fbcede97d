import type pg from "pg";
import type { AppliedMigration } from "./migrate";
import type { MigrationFile } from "./migration-files";

/** Holds what all migrations before it made, written anew. */
const BASELINE = "0100_baseline.sql";

/** The last of the migrations that the baseline replaces, and the version of Sluice that brought it. */
const LAST_REPLACED = {
  name: "0080_names_of_rules.sql",
  sha256: "4e2fb0fe7911d8cd577f059e5ffb83355ef0fb60f40946c42d8cc4f956b276d0",
  version: "0.1.0",
  /** The last commit before the baseline. */
  commit: "b4ba827",
};

/**
 * A database that has every migration that the baseline replaces is what the baseline makes: it is noted as that, and
 * nothing is run.
 * @param client connected as the owner of the database, inside the start lock
 * @returns what counts as applied now
 * @throws Error naming the version to start first, when the database lacks some of them
 */
export async function takeOverBaseline(
  client: pg.Client,
  files: readonly MigrationFile[],
  applied: AppliedMigration[],
): Promise<AppliedMigration[]> {
  const baseline = findBaseline(files);
  if (!baseline || !isReplaced(baseline, applied)) return applied;
  await client.query(
    `with replaced as (delete from sluice_migrations)
     insert into sluice_migrations (number, name, sha256) values ($1, $2, $3)`,
    [baseline.number, baseline.name, baseline.sha256],
  );
  return [baseline];
}

export const findBaseline = (files: readonly MigrationFile[]) => files.find(({ name }) => name === BASELINE);

/**
 * Whether these migrations are those that the baseline replaces.
 * @throws Error naming the version to start first, when some of them are missing
 */
export function isReplaced(baseline: MigrationFile, applied: readonly AppliedMigration[]): boolean {
  const last = applied.at(-1);
  if (!last || last.number >= baseline.number) return false;
  if (last.name === LAST_REPLACED.name && last.sha256 === LAST_REPLACED.sha256) return true;
  throw new Error(
    `This database ends with the migration ${last.name}, which is older than this version can take over. Start Sluice ` +
      `${LAST_REPLACED.version} (commit ${LAST_REPLACED.commit}) on it once, then this version. Nothing was changed.`,
  );
}
