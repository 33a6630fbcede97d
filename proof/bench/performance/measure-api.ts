import type { Call } from "@/proof/bench/api/calls";
import type { ListOrganization } from "@/proof/bench/api/scene";
import {
  type LoadOptions,
  type Measurement,
  measure,
  measureUntil,
  planWishes,
  repeat,
} from "@/proof/bench/measurement";
import { apiRequest, openClient } from "@/proof/bench/performance/session";
import { pickTrigger, waitUntilEnded } from "@/proof/bench/rules/live-runs";
import type { Fleet } from "./fleet";
import type { EngineUnderTest } from "./open-engine";
import type { World } from "./world";

/** Processes that run on a database with its organizations. */
export interface Running {
  engine: EngineUnderTest;
  world: World;
  fleet: Fleet;
}

/**
 * Per process that answers requests: a new one gets five times faster while its hot code and its connections' plans are
 * compiled. By number, because of several processes each gets only a part of what one would get.
 */
const WARM_UP_TRANSFERS = 5_000;
/** Of a load after the first one. */
const WARM_UP_REQUESTS = 1_500;
const WARM_UP_TIMEOUT_SECONDS = 40;
/** A page of a list, far from its beginning. */
export const DEEP_PAGE = 1_000;

/** `POST /transfers` between the pods of many organizations, until the last one is completed. */
export function measureTransfers(running: Running, options: LoadOptions): Promise<Measurement> {
  const nextWish = planWishes(running.world.callers);
  const next = () => {
    const { caller, ...wish } = nextWish();
    return { keyText: caller.keyText, wish };
  };
  return measurePosts(running, options, WARM_UP_TRANSFERS, next);
}

/** `POST /transfers` from one pod to one other, until the last one is completed: each locks the same two ledgers. */
export function measureOneRoute(running: Running, options: LoadOptions): Promise<Measurement> {
  const { keys, pods } = running.world.lists;
  const [sourceAccountId, destinationAccountId] = pods;
  const wish = { sourceAccountId, destinationAccountId, amountInCents: 100 };
  let count = 0;
  const next = () => ({ keyText: keys[count++ % keys.length]?.text ?? "", wish });
  return measurePosts(running, options, WARM_UP_REQUESTS, next);
}

async function measurePosts(
  { engine, fleet }: Running,
  options: LoadOptions,
  warmUpRequests: number,
  next: () => { keyText: string; wish: object },
): Promise<Measurement> {
  const client = openClient(fleet.urls, options.concurrency);
  const make = () => {
    const { keyText, wish } = next();
    return client.send(apiRequest(keyText, "POST", "/transfers", { ...wish, description: "bench" }));
  };
  try {
    await warmUp(fleet, make, options.concurrency, warmUpRequests);
    return await measure(engine.superuser, () => repeat(make, options));
  } finally {
    await client.close();
  }
}

async function warmUp(
  { urls }: Fleet,
  request: () => Promise<void>,
  concurrency: number,
  perProcess: number,
): Promise<void> {
  let left = perProcess * urls.length;
  for (let second = 0; left > 0 && second < WARM_UP_TIMEOUT_SECONDS; second++) {
    left -= (await repeat(request, { concurrency, seconds: 1 })).length;
  }
}

/** Reads of an organization with long lists, by their names in the report. */
export function readings({ pods, someIds }: ListOrganization): Record<string, Call> {
  const get = (path: string): Call => ({ method: "GET", path });
  const list = `/transfers?accountId=${pods[0]}`;
  return {
    getTransfer: get(`/transfers/${someIds.transfers}`),
    getAccount: get(`/accounts/${pods[0]}`),
    listAccounts: get("/accounts"),
    listTransfers: get(list),
    listTransfersDeep: get(`${list}&page=${DEEP_PAGE}`),
  };
}

export async function measureReading(
  { engine, world, fleet }: Running,
  { path }: Call,
  options: LoadOptions,
): Promise<Measurement> {
  const client = openClient(fleet.urls, options.concurrency);
  const { keys } = world.lists;
  let count = 0;
  const read = () => client.send(apiRequest(keys[count++ % keys.length]?.text ?? "", "GET", path));
  try {
    await warmUp(fleet, read, options.concurrency, WARM_UP_REQUESTS);
    return await measureUntil(
      engine.superuser,
      () => repeat(read, options),
      async () => undefined,
    );
  } finally {
    await client.close();
  }
}

/** `POST /rules/{id}/trigger` of rules with one action, until the last run has ended. */
export async function measureTriggers(
  { engine, world, fleet }: Running,
  options: LoadOptions,
): Promise<Measurement> {
  const client = openClient(fleet.urls, options.concurrency);
  let count = 0;
  const trigger = () => {
    const { ruleId, keyText } = pickTrigger(world.triggered, count++);
    return client.send(apiRequest(keyText, "POST", `/rules/${ruleId}/trigger`, {}));
  };
  try {
    await warmUp(fleet, trigger, options.concurrency, WARM_UP_REQUESTS);
    await waitUntilEnded(engine);
    return await measureUntil(
      engine.superuser,
      () => repeat(trigger, options),
      () => waitUntilEnded(engine),
    );
  } finally {
    await client.close();
  }
}
