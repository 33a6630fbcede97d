import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { type BackupConfig, backUpBeforeMigration } from "@/lib/db/backup/write-backup";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import type { Engine } from "@/lib/db/engine";
import { openExternalEngine } from "@/lib/db/external-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import type { Config } from "@/lib/platform/config";
import type { Tracing } from "@/lib/platform/observe/tracing";

export interface Database {
  /** Connected as the application's role, which has only the privileges that the migrations grant. */
  pool: pg.Pool;
  /** The connection settings of the pool, for connections outside it. */
  connection: pg.ClientConfig;
  /** For the log and the status page: identifies the database, without a password. */
  description: string;
  /** Call it last in a shutdown: ends the pool, then the embedded server if no other process uses it. */
  close(): Promise<void>;
}

interface OpenDatabaseOptions {
  config: EngineConfig & Pick<BackupConfig, "backups">;
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">;
  tracing?: Tracing;
  /** Schema folder other than this one, for tests. */
  schemaDirectory?: string;
  /** How long to wait for the server of DATABASE_URL to come up. */
  waitMs?: number;
}

/** Requests and workers drain first; a connection still checked out after this is a bug. */
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Opens the embedded PostgreSQL or the one of DATABASE_URL (15 or newer): backs it up if migrations are pending,
 * migrates it as its owner, and connects as the application's role.
 * @throws Error that says what to change, for each requirement that is not met
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
    // A role that cannot connect must fail the start, not the first request.
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
  Partial<Pick<Config, "postgresBin" | "previousSecret" | "isSecretLost">>;

/**
 * The embedded PostgreSQL or the one of DATABASE_URL (15 or newer), before `prepareDatabase`.
 * @param waitMs how long to wait for the server of DATABASE_URL to come up; interactive commands pass none
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
