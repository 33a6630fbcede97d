import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { backUpBeforeMigration } from "@/lib/db/backup/write-backup";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import type { Engine } from "@/lib/db/engine";
import { openExternalEngine } from "@/lib/db/external-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import type { Config } from "@/lib/platform/config";
import type { Tracing } from "@/lib/platform/observe/tracing";

export interface Database {
  /** Connected as the application's role, which may only what the migrations grant. */
  pool: pg.Pool;
  /** As whom and where the pool connects: for a connection that is kept apart from it. */
  connection: pg.ClientConfig;
  /** For the log and the status page: which database this is, without a password. */
  description: string;
  /** Call it last in a shutdown: ends the pool, then the embedded server if no other process uses it. */
  close(): Promise<void>;
}

interface OpenDatabaseOptions {
  config: EngineConfig & Pick<Config, "backups">;
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">;
  tracing?: Tracing;
  /** Another folder than this one: for tests. */
  schemaDirectory?: string;
  /** For how long a database of DATABASE_URL that is not up yet is waited for. */
  waitMs?: number;
}

/** Requests and workers are drained before; a connection that is still out after this is a fault. */
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Opens the database: the embedded PostgreSQL, or the one of DATABASE_URL (15 or newer). Backs it up where there is
 * something to migrate, migrates it as its owner, and connects as the application's role.
 * @throws Error that says what to change, for each requirement that is not met.
 */
export async function openDatabase({ config, log, ...options }: OpenDatabaseOptions): Promise<Database> {
  const engine = await openEngine(config, log, options.waitMs);
  try {
    await prepareDatabase(engine, {
      log,
      schemaDirectory: options.schemaDirectory,
      beforeMigrating: (pending) => backUpBeforeMigration(engine, config, pending, log),
    });
    const pool = createPool(engine.application, { log, tracing: options.tracing });
    // A role that cannot connect must stop the start, not the first request.
    await pool.query("select 1");
    return {
      pool,
      connection: engine.application,
      description: engine.description,
      close: closeOnce(pool, engine.leave),
    };
  } catch (error) {
    await engine.leave();
    throw error;
  }
}

function closeOnce(pool: pg.Pool, leave: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const close = async () => {
    await Promise.race([pool.end(), pause(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    await leave();
  };
  return () => {
    closing ??= close();
    return closing;
  };
}

type EngineConfig = Pick<Config, "databaseUrl" | "databaseAppRole" | "dataDirectory" | "secret"> &
  Partial<Pick<Config, "postgresBin">>;

/**
 * The embedded PostgreSQL, or the one of DATABASE_URL (15 or newer); not prepared yet.
 * @param waitMs for how long one of DATABASE_URL that is not up yet is waited for; commands, at which somebody sits, do not
 */
export function openEngine(
  config: EngineConfig,
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">,
  waitMs?: number,
): Promise<Engine> {
  return config.databaseUrl === null
    ? openEmbeddedEngine({ dataDirectory: config.dataDirectory, postgresBin: config.postgresBin, log })
    : openExternalEngine(config, { waitMs, log });
}
