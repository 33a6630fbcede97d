import { createPool } from "@/lib/db/pool";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { type BenchDatabase, openEmbeddedDatabase, settleDown } from "../arrange";

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

/** One organization with its rules. */
export interface LiveRules {
  organizationId: string;
  keyTexts: string[];
  rules: LiveRule[];
}

export type LiveScene = BenchDatabase & LiveRules;

/** A database of its own with one organization that has rules. */
export async function openLiveScene(dataDirectory: string, actions: number): Promise<LiveScene> {
  const database = await openEmbeddedDatabase(dataDirectory);
  const rules = await addLiveRules(database, { actions, trigger: "MANUAL" });
  await settleDown(database);
  return { ...database, ...rules };
}

/**
 * One organization with active rules of so many actions each, and keys that may run them without approval.
 * @param trigger what sets each off: somebody who asks, or money that arrives on its source
 */
export async function addLiveRules(
  database: BenchDatabase,
  { actions, trigger }: { actions: number; trigger: "MANUAL" | "ON_FUNDS_TRANSFERRED" },
): Promise<LiveRules> {
  const pools = { pool: createPool(database.application), ownerPool: createPool(database.owner) };
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
      trigger:
        trigger === "MANUAL"
          ? { type: trigger, accountId: source }
          : { type: trigger, accountId: source, minimumAmountInCents: null },
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
  return { organizationId: organization.organizationId, keyTexts, rules };
}
