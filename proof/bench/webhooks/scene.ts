import type { Pool } from "pg";
import { createPool } from "@/lib/db/pool";
import { loadSecret } from "@/lib/db/secret";
import { loadConfig } from "@/lib/platform/config";
import { createSealer } from "@/lib/platform/seal";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";
import { type BenchDatabase, openEmbeddedDatabase } from "../arrange";

/** Together 2,000 requests in a minute of the clock: the rate limit is at work and never reached. */
const KEYS = 20;
const BALANCE_IN_CENTS = 1_000_000_000_000;

export interface WebhookScene extends BenchDatabase {
  /** As the application. */
  pool: Pool;
  /** An organization of its own that listens at these addresses. */
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
  // The product's own, so that it can open what is sealed here.
  return withListeners(database, await loadSecret(loadConfig({ SLUICE_DATA_DIR: dataDirectory })));
}

/** @param secret of the processes that will deliver */
export function withListeners(database: BenchDatabase, secret: string): WebhookScene {
  const pools = { pool: createPool(database.application), ownerPool: createPool(database.owner) };
  const services = createRealTimeServices(pools.pool);
  const setting = { ...createTestWebhooks(), secrets: createSealer(secret, "webhook signing secrets") };
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
