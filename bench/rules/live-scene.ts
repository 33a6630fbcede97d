import { createPool } from "@/lib/platform/db/pool";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { openScene, type Scene } from "../arrange";

/** Together 40,000 requests in a minute of the clock: the rate limit is at work and never reached. */
const KEYS = 400;
/** Rules with pods of their own, so that runs do not all wait for one account. */
const RULES = 8;
const BALANCE_IN_CENTS = 1_000_000_000_000;

export interface LiveRule {
  ruleId: string;
  source: string;
  destinations: string[];
}

export interface LiveScene extends Scene {
  organizationId: string;
  keyTexts: string[];
  rules: LiveRule[];
}

/** One organization with active rules of so many actions each, and keys that may run them without approval. */
export async function openLiveScene(dataDirectory: string, actions: number): Promise<LiveScene> {
  const scene = await openScene(dataDirectory, { organizations: 0 });
  const pools = { pool: createPool(scene.application), ownerPool: createPool(scene.owner) };
  const services = createRealTimeServices(pools.pool);
  const organization = await createTestOrganization(pools, services);
  const keyTexts: string[] = [];
  const writer = await organization.addKey(anythingWithRules(false), "writer");
  for (let made = 0; made < KEYS; made += 1) {
    keyTexts.push((await organization.addKey(anythingWithRules(false), `bench ${made}`)).text);
  }
  const rules: LiveRule[] = [];
  for (let made = 0; made < RULES; made += 1) {
    const source = await organization.addAccount({
      name: `Source ${made}`,
      type: "POD",
      balanceInCents: BALANCE_IN_CENTS,
    });
    const destinations: string[] = [];
    for (let index = 0; index < actions; index += 1) {
      destinations.push(await organization.addAccount({ name: `Pod ${made} ${index}`, type: "POD" }));
    }
    const ruleId = await writeRule(services, writer.context, {
      trigger: { type: "MANUAL", accountId: source },
      steps: [
        {
          actions: destinations.map((destinationAccountId) => ({
            type: "FIXED",
            sourceAccountId: source,
            destinationAccountId,
            group: 0,
            amountInCents: 100,
          })),
        },
      ],
    });
    await makeActive(pools, ruleId);
    rules.push({ ruleId, source, destinations });
  }
  await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
  return { ...scene, organizationId: organization.organizationId, keyTexts, rules };
}
