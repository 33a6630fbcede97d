import type { Logger } from "pino";
import type { Config } from "@/lib/platform/config";
import { openEmbeddedEngine } from "./embedded-engine";
import type { Engine } from "./engine";
import { openExternalEngine } from "./external-engine";

export type EngineConfig = Pick<Config, "databaseUrl" | "databaseAppRole" | "dataDirectory" | "secret">;

/** The embedded PostgreSQL, or the one of DATABASE_URL (15 or newer); not prepared yet. */
export function openEngine(
  config: EngineConfig,
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">,
): Promise<Engine> {
  return config.databaseUrl === null
    ? openEmbeddedEngine({ dataDirectory: config.dataDirectory, log })
    : openExternalEngine(config);
}
