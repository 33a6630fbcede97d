import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Pool } from "pg";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { createTestOrganization } from "@/lib/testing/organization";
import { findFreePort, startProduct } from "@/lib/testing/product-process";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { type BenchDatabase, openEmbeddedDatabase, settleDown } from "@/proof/bench/arrange";

export interface LiveOptions {
  concurrency: number;
  seconds: number;
}

/** Runs that ended in a second, each with all its transfers. */
export interface LiveRates {
  actions: number;
  /** Requested over HTTP, from the first request until the last run has ended. */
  triggeredPerSecond: number;
  /** Already due, carried out by the worker of one process. */
  workedOffPerSecond: number;
  /** The same transfers and entries from a bare loop, one transaction per run, and nothing else. */
  rawPerSecond: number;
}

const BACKLOG = 10_000;
const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 10;

/**
 * Live runs per second with their transfers, and the rate of the bare transactions in the same database.
 * @param program the bundled product
 */
export async function measureLiveRuns(
  program: string,
  folder: string,
  actions: number,
  options: LiveOptions,
): Promise<LiveRates> {
  const dataDirectory = await mkdtemp(join(folder, "live-"));
  try {
    const scene = await openLiveScene(dataDirectory, actions);
    try {
      const raw = await measureRaw(scene, options);
      const product = await startProduct({ program, dataDirectory, port: await findFreePort() });
      try {
        const triggered = await measureTriggered(scene, product.apiUrl, options);
        const workedOff = await measureBacklog(scene);
        return {
          actions,
          triggeredPerSecond: triggered,
          workedOffPerSecond: workedOff,
          rawPerSecond: raw,
        };
      } finally {
        await product.kill();
      }
    } finally {
      await scene.close();
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** @returns how many calls were made in the given time, by so many at once */
async function callFor(
  { concurrency, seconds }: LiveOptions,
  call: (index: number) => Promise<void>,
): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let made = 0;
  const caller = async () => {
    while (performance.now() < until) {
      made += 1;
      await call(made);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return made;
}

async function measureTriggered(scene: LiveScene, apiUrl: string, options: LiveOptions): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const trigger = (index: number) => {
    const { ruleId, keyText } = pickTrigger(scene.rules, index);
    return post(agent, `${apiUrl}/rules/${ruleId}/trigger`, keyText);
  };
  try {
    await callFor({ ...options, seconds: 1.5 }, trigger);
    await waitUntilEnded(scene);
    const startedAt = performance.now();
    const made = await callFor(options, trigger);
    await waitUntilEnded(scene);
    return made / ((performance.now() - startedAt) / 1000);
  } finally {
    agent.destroy();
  }
}

function post(agent: Agent, url: string, keyText: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Content-Length": 2,
      "Idempotency-Key": randomUUID(),
    };
    const sent = request(url, { agent, method: "POST", headers }, (response) => {
      text(response).then((answer) => {
        if (response.statusCode === 202) resolve();
        else reject(new Error(`Refused with ${response.statusCode}: ${answer}`));
      }, reject);
    });
    sent.on("error", reject);
    sent.end("{}");
  });
}

/** Ten thousand runs that are due at the same moment. */
async function measureBacklog(scene: LiveScene): Promise<number> {
  const dueAt = new Date(systemClock.now().getTime() + 2_000);
  await scene.superuser.query(
    `insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
        created_at, started_by_kind, due_at)
      select $1, new_id($2), ($3::uuid[])[1 + n % $4], 1, 'IN_PROGRESS', 'LIVE', '{"type": "MANUAL", "amountInCents": null}', $2,
          'MEMBER', $5
        from generate_series(1, $6) n`,
    [
      pick(scene.rules, 0).organizationId,
      systemClock.now(),
      scene.rules.map(({ ruleId }) => ruleId),
      scene.rules.length,
      dueAt,
      BACKLOG,
    ],
  );
  const startedAt = performance.now() + Math.max(0, dueAt.getTime() - systemClock.now().getTime());
  await waitUntilEnded(scene);
  return BACKLOG / ((performance.now() - startedAt) / 1000);
}

/** Until no run is due. */
export async function waitUntilEnded(scene: Pick<BenchDatabase, "superuser">): Promise<void> {
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  for (;;) {
    const { rows } = await scene.superuser.query(
      "select from rule_executions where due_at is not null limit 1",
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error("Runs did not end in time");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function measureRaw(scene: LiveScene, options: LiveOptions): Promise<number> {
  const pool = createPool(scene.owner);
  try {
    const move = (index: number) => moveBare(pool, pick(scene.rules, index));
    await callFor({ ...options, seconds: 1.5 }, move);
    const startedAt = performance.now();
    const made = await callFor(options, move);
    return made / ((performance.now() - startedAt) / 1000);
  } finally {
    await pool.end();
  }
}

/** The rows that a run's money needs, in one statement: their cost without a rule, a request, an audit or a plan. */
export async function moveBare(pool: Pool, rule: LiveRule): Promise<void> {
  const now = systemClock.now();
  await pool.query({
    name: "move_bare",
    text: `
      with moved as (
        insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
            source_account_id, destination_account_id, proposed_by_kind, proposed_by_name, created_at, updated_at,
            accepted_at, completed_at)
          select $1, t.id, 'COMPLETE', 'LIVE', 'INTERNAL', 'RULE', 100, $2, t.destination, 'RULE', 'bench', $3, $3, $3, $3
            from unnest($4::uuid[], $5::uuid[]) as t (id, destination)
          returning id, destination_account_id)
      select post_entries(array_agg(row($1, id, id, null, 'TRANSFER', $2, destination_account_id, 100, 0, $3)::posting))
        from moved`,
    values: [
      rule.organizationId,
      rule.source,
      now,
      rule.destinations.map(() => newId(now)),
      rule.destinations,
    ],
  });
}

export function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
}

/** Together 40,000 requests a clock minute: the rate limit is active and never reached. */
const KEYS = 400;
/** Rules with their own pods, so that runs do not all wait for one account. */
const RULES = 8;
/** Organizations that are made at a time. */
const AT_A_TIME = 4;
const BALANCE_IN_CENTS = 1_000_000_000_000;

/** Where live runs are measured. */
interface LiveRulesOptions {
  actions: number;
  /** What starts them: a request, or money that arrives on its source. */
  trigger: "MANUAL" | "ON_FUNDS_TRANSFERRED";
  organizations: number;
  /** Per organization; every rule has its own pods. */
  rules: number;
  /** Per organization; a key may be used 100 times a clock minute. */
  keys: number;
}

export interface LiveRule {
  organizationId: string;
  ruleId: string;
  source: string;
  destinations: string[];
  /** Of its organization. */
  keyTexts: string[];
}

type LiveScene = BenchDatabase & { rules: LiveRule[] };

/** A dedicated database with one organization that has rules. */
async function openLiveScene(dataDirectory: string, actions: number): Promise<LiveScene> {
  const database = await openEmbeddedDatabase(dataDirectory);
  const one = { trigger: "MANUAL", organizations: 1, rules: RULES, keys: KEYS } as const;
  const rules = await addLiveRules(database, { actions, ...one });
  await settleDown(database);
  return { ...database, rules };
}

/** Active rules, each rule of an organization after the same rule of the one before; keys may run them without approval. */
export async function addLiveRules(database: BenchDatabase, options: LiveRulesOptions): Promise<LiveRule[]> {
  const pools = { pool: createPool(database.application), ownerPool: createPool(database.owner) };
  const made: LiveRule[][] = [];
  const make = async () => {
    while (made.length < options.organizations) {
      const rules: LiveRule[] = [];
      made.push(rules);
      await addOrganization(pools, options, rules);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, make));
  await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
  return Array.from({ length: options.rules }, (_, place) =>
    made.flatMap((rules) => rules[place] ?? []),
  ).flat();
}

async function addOrganization(
  pools: { pool: Pool; ownerPool: Pool },
  { actions, trigger, rules: count, keys }: LiveRulesOptions,
  rules: LiveRule[],
): Promise<void> {
  const services = createRealTimeServices(pools.pool);
  const organization = await createTestOrganization(pools, services);
  const { organizationId } = organization;
  const keyTexts: string[] = [];
  const writer = await organization.addKey(anythingWithRules(false), "writer");
  for (let made = 0; made < keys; made += 1) {
    keyTexts.push((await organization.addKey(anythingWithRules(false), `bench ${made}`)).text);
  }
  for (let made = 0; made < count; made += 1) {
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
    rules.push({ organizationId, ruleId, source, destinations, keyTexts });
  }
}

/** Calls take every rule in turn, then every key of its organization. */
export function pickTrigger(rules: readonly LiveRule[], index: number): { ruleId: string; keyText: string } {
  const { ruleId, keyTexts } = pick(rules, index);
  return { ruleId, keyText: pick(keyTexts, Math.floor(index / rules.length)) };
}
