import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readDemoFacts } from "@/e2e/pages/page-facts";
import { type Product, readDemo, startProduct } from "@/e2e/support/product";
import { signInOverHttp } from "@/e2e/support/sign-in-over-http";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";
import type { Caller } from "@/proof/bench/arrange";
import { type ControlGroup, makeControlGroup } from "@/proof/bench/memory/control-group";
import { describeRefused, pagesOf, runMixedLoad } from "@/proof/bench/memory/mixed-load";
import { type ProductMemory, readProductMemory } from "@/proof/bench/memory/process-memory";

const USAGE = `npm run bench:memory -- [--minutes 30] [--rate 14] [--most 700]

Measures how much memory the product takes together with its embedded PostgreSQL under a mixed load: transfers, reads,
tool calls and every page. Runs it in a control group of 1,000 MB where this account may create one. The exit code is 1
if both together take more than --most MB at any moment, or the kernel ended a process.
`;

/** A machine of 1 GB, less what its system takes. */
const GROUP_BYTES = 1_000_000_000;
const SAMPLE_EVERY_MS = 2_000;
const ORGANIZATIONS = 4;
/** Each may send 100 requests a minute. */
const KEYS_PER_ORGANIZATION = 10;
const PODS = 6;

/** @returns whether the peak is within the limit */
export async function benchMemory({ root }: { root: string }): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "30" },
      rate: { type: "string", default: "14" },
      most: { type: "string", default: "700" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "sluice-memory-"));
  const group = await makeControlGroup(GROUP_BYTES);
  try {
    return await measureIn(root, folder, group, {
      perSecond: Number(values.rate),
      minutes: Number(values.minutes),
      mostBytes: Number(values.most) * 1e6,
    });
  } finally {
    await group?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measureIn(
  root: string,
  folder: string,
  group: ControlGroup | null,
  { perSecond, minutes, mostBytes }: { perSecond: number; minutes: number; mostBytes: number },
): Promise<boolean> {
  const product = await startProduct(folder, undefined, {
    starter: group?.starter,
  });
  try {
    const demo = await readDemo(folder);
    const facts = await readDemoFacts(folder, demo);
    const load = {
      url: product.url,
      callers: await addCallers(folder),
      cookie: await signInOverHttp(demo, product.url),
      pages: pagesOf(root, facts),
    };
    const peak = watchMemory(product);
    const counts = await runMixedLoad(load, { perSecond, minutes });
    const memory = await peak.end();
    const kills = group ? await group.countKills() : 0;
    const where = group ? `in a control group of ${mb(GROUP_BYTES)} MB` : "measured by summing processes";
    process.stdout.write(
      `${counts.sent} requests (${counts.accepted} accepted; refused: ${describeRefused(counts)}; slowest ${Math.round(counts.slowestMs)} ms), ${where}\n` +
        `peak of both together ${mb(total(memory.together))} MB after ${memory.seconds} s: Node ${mb(memory.together.nodeBytes)}, PostgreSQL ${mb(memory.together.postgresBytes)} with ${memory.together.backends} backends\n` +
        `largest: Node ${mb(memory.nodeBytes)}, PostgreSQL ${mb(memory.postgresBytes)}, one backend ${mb(memory.largestBackendBytes)}, backends ${memory.backends}\n` +
        (kills > 0 ? `the kernel ended ${kills} processes for lack of memory\n` : ""),
    );
    return kills === 0 && total(memory.together) <= mostBytes;
  } catch (error) {
    process.stderr.write(product.printed());
    throw error;
  } finally {
    await product.stop();
  }
}

/** Samples until its end; reports the moment of the largest sum, and the largest of each. */
function watchMemory(product: Product) {
  const largest = {
    together: { nodeBytes: 0, postgresBytes: 0, backends: 0, largestBackendBytes: 0 },
    seconds: 0,
    nodeBytes: 0,
    postgresBytes: 0,
    backends: 0,
    largestBackendBytes: 0,
  };
  const startedAt = performance.now();
  const ended = new AbortController();
  const watched = (async () => {
    for (let sample = 0; !ended.signal.aborted; sample += 1) {
      const memory = await readProductMemory(product.process.pid ?? 0);
      if (total(memory) > total(largest.together)) {
        largest.together = memory;
        largest.seconds = Math.round((performance.now() - startedAt) / 1000);
      }
      for (const key of ["nodeBytes", "postgresBytes", "backends", "largestBackendBytes"] as const)
        largest[key] = Math.max(largest[key], memory[key]);
      if (sample % 30 === 0) {
        const line = `  Node ${mb(memory.nodeBytes)}, PostgreSQL ${mb(memory.postgresBytes)} MB, ${memory.backends} backends of up to ${mb(memory.largestBackendBytes)}`;
        process.stdout.write(`${line}\n`);
      }
      await pause(SAMPLE_EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    end: async () => {
      ended.abort();
      await watched;
      return largest;
    },
  };
}

/** Organizations with pods, and keys that read and move. */
async function addCallers(dataDirectory: string): Promise<Caller[]> {
  const engine = await openEmbeddedEngine({ dataDirectory });
  const pools = {
    pool: createPool(engine.application, { max: 2 }),
    ownerPool: createPool(engine.owner, { max: 2 }),
  };
  try {
    const services = createRealTimeServices(pools.pool);
    const callers: Caller[] = [];
    for (let made = 0; made < ORGANIZATIONS; made += 1) {
      const organization = await createTestOrganization(pools, services, `Load ${made}`);
      const pods: string[] = [];
      for (let pod = 0; pod < PODS; pod += 1)
        pods.push(
          await organization.addAccount({ name: `Pod ${pod}`, type: "POD", balanceInCents: 1_000_000_000 }),
        );
      for (let key = 0; key < KEYS_PER_ORGANIZATION; key += 1) {
        const keyName = `load ${key}`;
        const { id: keyId, text: keyText } = await organization.addKey(
          [moveAnything(false), ...readEverything, { type: "READ_RULES", rules: "ALL" }],
          keyName,
        );
        callers.push({ organizationId: organization.organizationId, keyId, keyName, keyText, pods });
      }
    }
    return callers;
  } finally {
    await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
    await engine.leave();
  }
}

const total = ({ nodeBytes, postgresBytes }: Pick<ProductMemory, "nodeBytes" | "postgresBytes">) =>
  nodeBytes + postgresBytes;
const mb = (bytes: number) => Math.round(bytes / 1e6);
