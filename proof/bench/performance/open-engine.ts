import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { SUPERUSER } from "@/lib/db/embedded";
import { EMBEDDED_OWNER_ROLE } from "@/lib/db/embedded-engine";
import { openExternalEngine } from "@/lib/db/external-engine";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { loadSecret } from "@/lib/db/secret";
import { type BenchDatabase, openEmbeddedDatabase } from "@/proof/bench/arrange";
import { startExternalServer } from "./external-server";

export const ENGINES = ["embedded", "external"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A database, and how processes of the product are told of it. */
export interface EngineUnderTest extends BenchDatabase {
  name: EngineName;
  /** As `select version()` names it. */
  version: string;
  /** Of every process on it. */
  secret: string;
  environment: Record<string, string>;
}

/** @param folder for the database and for the data folders of processes; thrown away by the caller */
export async function openEngine(name: EngineName, folder: string): Promise<EngineUnderTest> {
  const opened = name === "embedded" ? await openEmbedded(folder) : await openExternal(folder);
  const { rows } = await opened.superuser.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  return { ...opened, name, version: rows[0]?.version ?? "" };
}

async function openEmbedded(folder: string): Promise<Omit<EngineUnderTest, "name" | "version">> {
  const secret = randomBytes(32).toString("hex");
  const database = await openEmbeddedDatabase(folder);
  return { ...database, secret, environment: { SLUICE_DATA_DIR: folder, SLUICE_SECRET: secret } };
}

/** A server over TCP with passwords, as an operator would give Sluice one. */
async function openExternal(folder: string): Promise<Omit<EngineUnderTest, "name" | "version">> {
  const secret = randomBytes(32).toString("hex");
  const password = randomBytes(16).toString("hex");
  const server = await startExternalServer(join(folder, "external"));
  const superuser = new pg.Client({ ...server.socket, user: SUPERUSER, database: "postgres" });
  await superuser.connect();
  await superuser.query(`create role ${EMBEDDED_OWNER_ROLE} login createrole password '${password}'`);
  await superuser.query(`create database sluice owner ${EMBEDDED_OWNER_ROLE}`);
  await superuser.end();
  const inside = new pg.Client({ ...server.socket, user: SUPERUSER, database: "sluice" });
  await inside.connect();
  await inside.query("create extension pg_stat_statements");
  const databaseUrl = `postgres://${EMBEDDED_OWNER_ROLE}:${password}@127.0.0.1:${server.port}/sluice`;
  const config = { databaseUrl, databaseAppRole: null, secret, dataDirectory: folder };
  const engine = await openExternalEngine({ ...config, secret: await loadSecret(config) });
  await prepareDatabase(engine);
  return {
    application: engine.application,
    owner: engine.owner,
    superuser: inside,
    secret,
    environment: { SLUICE_DATA_DIR: folder, SLUICE_SECRET: secret, DATABASE_URL: databaseUrl },
    close: async () => {
      await inside.end();
      await server.stop();
    },
  };
}
