import { type Measurement, measureUntil } from "@/proof/bench/measurement";
import { measureLatencies, openArrivals } from "@/proof/bench/webhooks/latency";
import { startReceiverProcess } from "@/proof/bench/webhooks/receiver";
import { withListeners } from "@/proof/bench/webhooks/scene";
import { deliverBacklog, postBare } from "@/proof/bench/webhooks/throughput";
import type { Running } from "./measure-api";

export interface WebhookFigures {
  /** Deliveries, with the latencies of single transfers to their first event. */
  delivered: Measurement;
  /** Signed and posted by a bare loop, and not recorded. */
  barePerSecond: number;
}

const ENDPOINTS = 4;

/**
 * Deliveries of events that are due at one moment, to several endpoints of one organization; then how soon the event of a
 * single transfer arrives.
 * @param receiver the bundled receiver
 */
export async function measureWebhooks(
  { engine, fleet }: Running,
  receiver: string,
  { deliveries, transfers }: { deliveries: number; transfers: number },
): Promise<WebhookFigures> {
  // The database stays open: others go on with it.
  const scene = withListeners({ ...engine, close: async () => undefined }, engine.secret);
  const process = await startReceiverProcess(receiver, ENDPOINTS);
  const arrivals = await openArrivals();
  try {
    const listener = await scene.addListener(process.urls);
    const events = Math.ceil(deliveries / ENDPOINTS);
    await deliverBacklog(scene, listener, process, Math.ceil(events / 5));
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
