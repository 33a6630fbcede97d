import { hash } from "node:crypto";
import { RUN_RULES } from "@/lib/core/shared/work-names";
import { recordDeposits } from "@/lib/core/transfers/collect-bank-notices";
import { createPool } from "@/lib/db/pool";
import { openWorkSignals } from "@/lib/db/workers";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { createLog } from "@/lib/platform/log";
import { type LoadOptions, type Measurement, measureUntil, repeat } from "@/proof/bench/measurement";
import type { Running } from "@/proof/bench/performance/measure-api";
import { pick, waitUntilEnded } from "@/proof/bench/rules/live-runs";
import { measureLatencies, openArrivals } from "@/proof/bench/webhooks/latency";
import { startReceiverProcess, withListeners } from "@/proof/bench/webhooks/scene";
import { deliverBacklog, postBare } from "@/proof/bench/webhooks/throughput";

const WARM_UP_SECONDS = 3;
/** Deposits that the bank reports to one organization together; a round of the worker reads up to a hundred. */
const DEPOSITS_AT_ONCE = 16;

/**
 * Deposits that start rules, booked as the worker books the bank's notices, until the last run has ended. The latency
 * is that of booking the deposit and creating its run.
 */
export async function measureArrivals(
  { engine, world }: Running,
  options: LoadOptions,
): Promise<Measurement> {
  const pool = createPool(engine.application);
  const signals = openWorkSignals(engine.application, createLog("silent"));
  let count = 0;
  const nextRound = () => {
    const { organizationId, source: accountId } = pick(world.setOff, count++);
    return Array.from({ length: DEPOSITS_AT_ONCE }, () => {
      const arrivedAt = systemClock.now();
      const payment = {
        amountInCents: 100_000,
        origin: "DIRECT_DEPOSIT",
        payerName: "Halden Health",
      } as const;
      return {
        organizationId,
        accountId,
        reference: hash("sha256", newId(arrivedAt)),
        ...payment,
        arrivedAt,
      };
    });
  };
  const arrive = async () => {
    await recordDeposits({ pool }, nextRound());
    signals.wake(RUN_RULES);
  };
  const groups = Math.max(1, Math.round(options.concurrency / DEPOSITS_AT_ONCE));
  const load = async (seconds: number) => {
    const latenciesMs = await repeat(arrive, { concurrency: groups, seconds });
    return latenciesMs.flatMap((ms) => Array.from({ length: DEPOSITS_AT_ONCE }, () => ms));
  };
  try {
    await load(WARM_UP_SECONDS);
    await waitUntilEnded(engine);
    return await measureUntil(
      engine.superuser,
      () => load(options.seconds),
      () => waitUntilEnded(engine),
    );
  } finally {
    await signals.close();
    await pool.end();
  }
}

interface WebhookFigures {
  /** Deliveries, with the latencies of single transfers to their first event. */
  delivered: Measurement;
  /** Signed and posted by a bare loop, without recording. */
  barePerSecond: number;
}

const ENDPOINTS = 4;

/**
 * Deliveries of events that are due at one moment, to several endpoints of one organization; then the latency of a
 * single transfer's event.
 * @param receiver the bundled receiver
 */
export async function measureWebhooks(
  { engine, fleet }: Running,
  receiver: string,
  { deliveries, transfers }: { deliveries: number; transfers: number },
): Promise<WebhookFigures> {
  // The database stays open for the other measurements.
  const scene = withListeners({ ...engine, close: async () => undefined }, engine.secret);
  const process = await startReceiverProcess(receiver, ENDPOINTS);
  const arrivals = await openArrivals();
  try {
    const listener = await scene.addListener(process.urls);
    const events = Math.ceil(deliveries / ENDPOINTS);
    await deliverBacklog(scene, listener, process, events);
    let seconds = 0;
    const backlog = async () => {
      seconds = await deliverBacklog(scene, listener, process, events);
      return [];
    };
    const delivered = await measureUntil(engine.superuser, backlog, async () => undefined);
    const bareSeconds = await postBare(listener, process, events * ENDPOINTS);
    const single = await scene.addListener([arrivals.receiver.url]);
    const apiUrl = `${fleet.urls[0]}/platform/v1`;
    const { fromRequestMs } = await measureLatencies(apiUrl, single, arrivals, transfers);
    return {
      delivered: { ...delivered, seconds, drainSeconds: 0, latenciesMs: [...fromRequestMs] },
      barePerSecond: (events * ENDPOINTS) / bareSeconds,
    };
  } finally {
    await scene.close();
    await arrivals.receiver.close();
    await process.stop();
  }
}
