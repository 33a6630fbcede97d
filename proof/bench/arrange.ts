import { join } from "node:path";
import pg from "pg";
import { SUPERUSER } from "@/lib/db/embedded";
import { embeddedConnection, openEmbeddedEngine, withSuperuser } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";

const PODS_PER_ORGANIZATION = 10;
const BALANCE_IN_CENTS = 1_000_000_000_000;

export interface CallerCounts {
  organizations: number;
  keysPerOrganization: number;
}

/** A key, and the pods between which it moves money. */
export interface Caller {
  organizationId: string;
  keyId: string;
  keyName: string;
  keyText: string;
  pods: readonly string[];
}

/** A migrated database that is measured and then thrown away. */
export interface BenchDatabase {
  /** As the application connects. */
  application: pg.ClientConfig;
  /** As the migrations connect. */
  owner: pg.ClientConfig;
  /** Sees PostgreSQL's counters. */
  superuser: pg.Client;
  close(): Promise<void>;
}

export interface Scene extends BenchDatabase {
  callers: Caller[];
}

/** A durable embedded PostgreSQL that counts statements. */
export async function openEmbeddedDatabase(dataDirectory: string): Promise<BenchDatabase> {
  await countStatements(dataDirectory);
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const superuser = new pg.Client(
    embeddedConnection(serverOf(engine.owner), SUPERUSER, engine.owner.database ?? ""),
  );
  await superuser.connect();
  await superuser.query("create extension pg_stat_statements");
  const close = async () => {
    await superuser.end();
    await engine.leave();
  };
  return { application: engine.application, owner: engine.owner, superuser, close };
}

/** Before measuring, what was just written is on disk and known to the planner. */
export async function settleDown({ superuser }: BenchDatabase): Promise<void> {
  await superuser.query("vacuum analyze");
  await superuser.query("checkpoint");
}

/** Organizations with funded pods, and with keys that may move the money. @param mustAsk each time */
export async function addCallers(
  database: BenchDatabase,
  { organizations, keysPerOrganization }: CallerCounts,
  mustAsk = false,
): Promise<Caller[]> {
  const pool = createPool(database.application);
  const ownerPool = createPool(database.owner);
  const callers: Caller[] = [];
  for (let made = 0; made < organizations; made++)
    callers.push(...(await addOrganization({ pool, ownerPool }, keysPerOrganization, mustAsk)));
  await Promise.all([pool.end(), ownerPool.end()]);
  return callers;
}

/** The library is loaded at server start, so the server is started, configured and stopped. */
async function countStatements(dataDirectory: string): Promise<void> {
  const engine = await openEmbeddedEngine({ dataDirectory: join(dataDirectory) });
  await withSuperuser(serverOf(engine.owner), async (superuser) => {
    await superuser.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
    await superuser.query("alter system set pg_stat_statements.track_planning = on");
  });
  await engine.leave();
}

function serverOf({ host, port }: pg.ClientConfig): { host: string; port: number } {
  if (host === undefined || port === undefined) throw new Error("The embedded server has a socket");
  return { host, port };
}

async function addOrganization(
  database: { pool: pg.Pool; ownerPool: pg.Pool },
  keys: number,
  mustAsk: boolean,
): Promise<Caller[]> {
  const services = createRealTimeServices(database.pool);
  const organization = await createTestOrganization(database, services);
  const pods: string[] = [];
  for (let made = 1; made <= PODS_PER_ORGANIZATION; made++) {
    const pod = { name: `Pod ${made}`, type: "POD" as const, balanceInCents: BALANCE_IN_CENTS };
    pods.push(await organization.addAccount(pod));
  }
  const callers: Caller[] = [];
  for (let made = 1; made <= keys; made++) {
    const keyName = `bench ${made}`;
    const { id: keyId, text: keyText } = await organization.addKey([moveAnything(mustAsk)], keyName);
    callers.push({ organizationId: organization.organizationId, keyId, keyName, keyText, pods });
  }
  return callers;
}
