import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Pool } from "pg";
import { z } from "zod";
import { createPool } from "@/lib/db/pool";
import { loadSecret } from "@/lib/db/secret";
import { loadConfig } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";
import { type BenchDatabase, openEmbeddedDatabase } from "@/proof/bench/arrange";

/** Together 2,000 requests a clock minute: the rate limit is active and never reached. */
const KEYS = 20;
const BALANCE_IN_CENTS = 1_000_000_000_000;

export interface WebhookScene extends BenchDatabase {
  /** As the application. */
  pool: Pool;
  /** A new organization that listens at these addresses. */
  addListener(urls: readonly string[]): Promise<Listener>;
}

export interface Listener {
  organizationId: string;
  endpointIds: string[];
  /** Of the endpoints, in their order. */
  secrets: string[];
  keyTexts: string[];
  source: string;
  destination: string;
}

export async function openWebhookScene(dataDirectory: string): Promise<WebhookScene> {
  const database = await openEmbeddedDatabase(dataDirectory);
  // The product's own, so that it can decrypt what is encrypted here.
  return withListeners(database, await loadSecret(loadConfig({ SLUICE_DATA_DIR: dataDirectory })));
}

/** @param secret of the processes that will deliver */
export function withListeners(database: BenchDatabase, secret: string): WebhookScene {
  const pools = { pool: createPool(database.application), ownerPool: createPool(database.owner) };
  const services = createRealTimeServices(pools.pool);
  const setting = { ...createTestWebhooks(), secrets: createEncryption(secret, "webhook signing secrets") };
  return {
    ...database,
    pool: pools.pool,
    addListener: async (urls) => {
      const organization = await createTestOrganization(pools, services);
      const pod = { type: "POD" as const, balanceInCents: BALANCE_IN_CENTS };
      const source = await organization.addAccount({ ...pod, name: "Source" });
      const destination = await organization.addAccount({ ...pod, name: "Destination" });
      const keyTexts: string[] = [];
      for (let made = 0; made < KEYS; made++)
        keyTexts.push((await organization.addKey([moveAnything(false)], `bench ${made}`)).text);
      const { organizationId } = organization;
      const endpoints: { id: string; secret: string }[] = [];
      for (const url of urls) endpoints.push(await addEndpoint(services, setting, organizationId, url));
      return {
        organizationId,
        endpointIds: endpoints.map(({ id }) => id),
        secrets: endpoints.map((endpoint) => endpoint.secret),
        keyTexts,
        source,
        destination,
      };
    },
    close: async () => {
      await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
      await database.close();
    },
  };
}

/** The receiver's process. */
export interface Receiver {
  urls: string[];
  /** Counts from now on. @returns the seconds between the first and the last of so many deliveries */
  expect(count: number): Promise<number>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 300_000;

/** @param program the bundled `receiver-main.ts` */
export async function startReceiverProcess(program: string, ports: number): Promise<Receiver> {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, RECEIVER_PORTS: String(ports) },
  });
  const ended = once(child, "exit");
  const opened = z.object({ ports: z.array(z.number()) }).parse(await nextMessage(child));
  return {
    urls: opened.ports.map((port) => `http://127.0.0.1:${port}/hooks`),
    expect: async (count) => {
      child.send(count);
      return z.object({ seconds: z.number() }).parse(await nextMessage(child)).seconds;
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return message;
}
