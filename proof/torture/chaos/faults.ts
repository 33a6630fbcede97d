import { hasCode } from "@/lib/platform/error-code";
import { isRunning, readPostmasterPid } from "@/lib/testing/product-process";
import { waitUntil } from "@/lib/testing/wait-until";
import type { Random } from "@/proof/torture/actors/agent";
import type { Receiver } from "@/proof/torture/actors/receiver";
import type { BankProxy } from "@/proof/torture/bank/bank-proxy";
import type { Product } from "@/proof/torture/chaos/product-fleet";
import type { TcpProxy } from "@/proof/torture/chaos/tcp-proxy";
import type { History } from "@/proof/torture/record-history";

export interface ChaosOptions {
  products: readonly Product[];
  /** Between the products and PostgreSQL. */
  databaseProxy: TcpProxy;
  /** Of the embedded server. */
  dataDirectory: string;
  receiver: Receiver;
  /** Between the products and a bank outside of them; null: the sandbox bank. */
  bank: BankProxy | null;
  history: History;
  random: Random;
  /** The number of answers so far: faults fall after so much work, not after so much time. */
  answered: () => number;
  signal: AbortSignal;
}

type Fault = (options: ChaosOptions) => Promise<void>;

/** Answers between two faults, as many on a busy machine as on an idle one. */
const BETWEEN = { least: 15, most: 60 };
/** Without any answers, because everything is down, the next fault comes after this time. */
const LONGEST_CALM_MS = 4_000;
/** The clock error of a machine that was not synchronized for a while. */
const MOST_SKEWED_MS = 20_000;

/** The weight with which each is drawn. */
const FAULTS: readonly [weight: number, name: string, fault: Fault][] = [
  [5, "kill a process", killProcess],
  [2, "kill all processes", killAll],
  [2, "kill PostgreSQL", killPostgres],
  [4, "drop connections to the database", async ({ databaseProxy }) => databaseProxy.dropAll()],
  [2, "cut the database off", cutDatabaseOff],
  [3, "delay the database", delayDatabase],
  [2, "silence the database", async ({ databaseProxy }) => databaseProxy.silence()],
  [
    4,
    "drop connections of clients",
    async ({ products }) => {
      for (const { proxy } of products) proxy.dropAll();
    },
  ],
  [2, "delay clients", delayClients],
  [3, "receivers break down", breakReceivers],
];

/** Only with a bank outside of the products. */
const BANK_FAULT: (typeof FAULTS)[number] = [3, "the bank goes down", silenceBank];

/** One fault after the other until aborted, in the order that the seed gives. Ends with everything running again. */
export async function runChaos(options: ChaosOptions): Promise<number> {
  const { history, random, signal } = options;
  let faults = 0;
  while (!signal.aborted) {
    await waitForWork(options, random(BETWEEN.least, BETWEEN.most));
    if (signal.aborted) break;
    const [, name, fault] = draw(options.bank ? [...FAULTS, BANK_FAULT] : FAULTS, random);
    history.record({ kind: "faulted", fault: name });
    faults += 1;
    await fault(options);
  }
  return faults;
}

async function waitForWork({ answered, signal }: ChaosOptions, answers: number): Promise<void> {
  const until = answered() + answers;
  const deadline = performance.now() + LONGEST_CALM_MS;
  while (answered() < until && performance.now() < deadline && !signal.aborted) await sleep(20);
}

function draw(faults: typeof FAULTS, random: Random) {
  const total = faults.reduce((sum, [weight]) => sum + weight, 0);
  let rest = random(1, total);
  for (const entry of faults) {
    rest -= entry[0];
    if (rest <= 0) return entry;
  }
  throw new Error("The weights do not add up");
}

async function killProcess({ products, random }: ChaosOptions): Promise<void> {
  const victim = products[random(0, products.length - 1)];
  // Hits whatever it is doing at the moment.
  await sleep(random(0, 40));
  await victim?.kill();
  await sleep(random(0, 800));
  await victim?.start(random(-MOST_SKEWED_MS, MOST_SKEWED_MS));
}

async function killAll({ products, random }: ChaosOptions): Promise<void> {
  await Promise.all(products.map((product) => product.kill()));
  for (const product of products) await product.start(random(-MOST_SKEWED_MS, MOST_SKEWED_MS));
}

/** Its supervisor, which this process is a member of, starts another one. */
async function killPostgres({ dataDirectory }: ChaosOptions): Promise<void> {
  const postmaster = await readPostmasterPid(dataDirectory);
  try {
    process.kill(postmaster, "SIGKILL");
  } catch (error) {
    // The previous fault killed it too, and its supervisor has not started another one yet: the file belongs to the
    // dead one.
    if (!hasCode(error, "ESRCH")) throw error;
  }
  await waitUntil("PostgreSQL is gone", async () => !(await isRunning(postmaster)));
}

async function cutDatabaseOff({ databaseProxy, random }: ChaosOptions): Promise<void> {
  databaseProxy.refuse(true);
  await sleep(random(200, 2_000));
  databaseProxy.refuse(false);
}

async function delayDatabase({ databaseProxy, random }: ChaosOptions): Promise<void> {
  databaseProxy.delay(random(5, 60));
  await sleep(random(300, 1_500));
  databaseProxy.delay(0);
}

async function delayClients({ products, random }: ChaosOptions): Promise<void> {
  const ms = random(20, 300);
  for (const { proxy } of products) proxy.delay(ms);
  await sleep(random(300, 1_500));
  for (const { proxy } of products) proxy.delay(0);
}

async function breakReceivers({ receiver, random }: ChaosOptions): Promise<void> {
  receiver.breakDown(true);
  await sleep(random(300, 1_500));
  receiver.breakDown(false);
}

async function silenceBank({ bank, random }: ChaosOptions): Promise<void> {
  bank?.refuse(true);
  await sleep(random(300, 2_500));
  bank?.refuse(false);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
