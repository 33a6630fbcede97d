import type { Logger } from "pino";
import type { Config } from "@/lib/platform/config";
import { openEmbeddedEngine } from "./embedded-engine";
import type { Engine } from "./engine";
import { openExternalEngine } from "./external-engine";

export type EngineConfig = Pick<Config, "databaseUrl" | "databaseAppRole" | "dataDirectory" | "secret"> &
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
