import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import type { Engine } from "@/lib/db/engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { createEncryption } from "@/lib/platform/encryption";
import { createRealTimeServices } from "@/lib/testing/services";
import { createTestWebhooks } from "@/lib/testing/webhooks";
import type { Random } from "@/proof/torture/actors/agent";
import { type Receiver, startReceiver } from "@/proof/torture/actors/receiver";
import { type IncreaseScene, openIncrease } from "@/proof/torture/bank/open-increase";
import { openFleet, type Product } from "@/proof/torture/chaos/product-fleet";
import { startTcpProxy, type TcpProxy } from "@/proof/torture/chaos/tcp-proxy";
import { plantMisreports } from "@/proof/torture/misreport";
import type { BankKind, PlantedFault } from "@/proof/torture/planted-faults";
import { type History, openHistory } from "@/proof/torture/record-history";
import { CAP_IN_CENTS, openParty, type Party } from "@/proof/torture/world";

export interface SceneOptions {
  seed: number;
  /** New; receives the history, the logs and the database. */
  folder: string;
  /** Bundled `proof/torture/product-main.ts`. */
  program: string;
  partyCount: number;
  /** Keys of each kind in each party. */
  keyCount: number;
  bank: BankKind;
  plantedFault: PlantedFault | null;
}

/** Everything that takes part in one run, up and ready. */
export interface Scene {
  folder: string;
  historyPath: string;
  history: History;
  /** Connected to PostgreSQL itself, past the proxy. */
  owner: pg.Pool;
  parties: Party[];
  products: Product[];
  databaseProxy: TcpProxy;
  receiver: Receiver;
  /** Null: the sandbox bank. */
  increase: IncreaseScene | null;
  /** A separate series of numbers for each caller, the same for the same seed. */
  nextSeries: () => Random;
  /** Processes that ended without being killed. */
  unexpectedEnds: string[];
  close(): Promise<void>;
}

/** Only of this run's database, which is thrown away. */
const SECRET = "torture: the secret of an installation without users";

/** Opens a database with organizations, receivers of their events, and processes of the product in front of it. */
export async function openScene(options: SceneOptions): Promise<Scene> {
  const { folder, seed } = options;
  await mkdir(folder, { recursive: true });
  const endings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of endings.reverse()) await end();
  };
  try {
    const nextSeries = createSeries(seed);
    const historyPath = join(folder, "history.jsonl");
    const history = openHistory(historyPath);
    endings.push(async () => history.close());
    const engine = await openEmbeddedEngine({ dataDirectory: folder });
    endings.push(() => engine.leave());
    await prepareDatabase(engine);
    const owner = createPool(engine.owner);
    endings.push(() => owner.end());
    const receiver = await startReceiver(history, nextSeries());
    endings.push(() => receiver.close());
    const parties = await openWorld(engine, { owner, receiver, history }, options);
    const increase = options.bank === "increase" ? await openIncrease(nextSeries()) : null;
    endings.push(async () => await increase?.close());
    if (increase) await increase.adopt(owner, parties);
    else await plantMisreports(owner);
    await options.plantedFault?.plant(owner);
    const databaseProxy = await startTcpProxy(() => ({ path: socketOf(engine) }));
    endings.push(() => databaseProxy.close());
    const unexpectedEnds: string[] = [];
    const products = await openFleet({
      program: options.program,
      databaseUrl: `postgres://${engine.owner.user}@127.0.0.1:${databaseProxy.port}/${engine.owner.database}`,
      secret: SECRET,
      environment: { ...increase?.environment, ...options.plantedFault?.environment },
      folder,
      onUnexpectedEnd: (what) => unexpectedEnds.push(what),
    });
    endings.push(() => Promise.all(products.map((product) => product.close())));
    await Promise.all(products.map((product) => product.start(0)));
    const scene = {
      folder,
      historyPath,
      history,
      owner,
      parties,
      products,
      databaseProxy,
      receiver,
      increase,
    };
    return { ...scene, nextSeries, unexpectedEnds, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createSeries(seed: number): () => Random {
  let count = 0;
  return () => {
    count += 1;
    return seededNumbers(seed * 1_000 + count);
  };
}

function socketOf({ owner: { host, port } }: Engine): string {
  return join(host ?? "", `.s.PGSQL.${port}`);
}

async function openWorld(
  engine: Engine,
  { owner, receiver, history }: Pick<Scene, "owner" | "receiver" | "history">,
  { partyCount, keyCount }: SceneOptions,
): Promise<Party[]> {
  const pool = createPool(engine.application);
  const services = createRealTimeServices(pool);
  const webhooks = { ...createTestWebhooks(), secrets: createEncryption(SECRET, "webhook signing secrets") };
  const parties: Party[] = [];
  for (let place = 0; place < partyCount; place++) {
    const receiverUrl = receiver.urlOf(place);
    const party = await openParty({ pool, ownerPool: owner }, services, webhooks, { receiverUrl, keyCount });
    const { organizationId, opened, members } = party;
    receiver.belongsTo(place, { organizationId, endpointId: opened.endpoints[0]?.id ?? "" });
    const { doomedKey, cappedKey, mandateKey } = party;
    const keys = [
      ...party.keys.moving.map(({ id }) => ({ id, asks: false, capInCents: null })),
      ...party.keys.asking.map(({ id }) => ({ id, asks: true, capInCents: null })),
      { id: doomedKey.id, asks: false, capInCents: null },
      { id: cappedKey.id, asks: false, capInCents: CAP_IN_CENTS },
      { id: mandateKey.id, asks: true, capInCents: null },
    ];
    const memberIds = members.map(({ id }) => id);
    history.record({ kind: "opened", organizationId, ...opened, keys, memberIds });
    parties.push(party);
  }
  await pool.end();
  return parties;
}
