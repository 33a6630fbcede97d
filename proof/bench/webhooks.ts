import { mkdtemp, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFreePort, startProduct } from "@/lib/testing/product-process";
import { benchFolder, saveReport } from "@/proof/bench/report";
import { type Receiver, startReceiverProcess } from "@/proof/bench/webhooks/scene";
import { type Latencies, measureLatencies, openArrivals } from "./webhooks/latency";
import { openWebhookScene, type WebhookScene } from "./webhooks/scene";
import { type DeliveryRates, measureDeliveries } from "./webhooks/throughput";

const USAGE = `npm run bench:webhooks -- [--deliveries 20000] [--transfers 200]

Webhook deliveries per second of one process on a durable embedded PostgreSQL of its own, to one endpoint and to ten, with
events that are written already; beside a bare loop that signs and posts the same bodies to the same receiver, as many at
once, and records nothing. Then how long an event takes to arrive after a transfer over the API, one at a time.
`;

/** The numbers of endpoints that the same deliveries are spread over. */
const ENDPOINTS = [1, 10];

/** The bundled programs. */
export interface Programs {
  product: string;
  receiver: string;
}

export async function benchWebhooks(programs: Programs): Promise<void> {
  const { values } = parseArgs({
    options: {
      deliveries: { type: "string", default: "20000" },
      transfers: { type: "string", default: "200" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const loadBefore = loadavg()[0];
  const folder = await benchFolder();
  const dataDirectory = await mkdtemp(join(folder, "webhooks-"));
  try {
    const scene = await openWebhookScene(dataDirectory);
    try {
      const measured = await measure(programs, scene, dataDirectory, {
        deliveries: Number(values.deliveries),
        transfers: Number(values.transfers),
      });
      await saveReport("webhooks.json", measured, { ...values, loadBefore, loadAfter: loadavg()[0] });
    } finally {
      await scene.close();
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function measure(
  { product: program, receiver }: Programs,
  scene: WebhookScene,
  dataDirectory: string,
  { deliveries, transfers }: { deliveries: number; transfers: number },
): Promise<{ rates: DeliveryRates[]; latencies: Latencies }> {
  const environment = { WEBHOOK_ALLOW_PRIVATE: "1" };
  const product = await startProduct({ program, dataDirectory, port: await findFreePort(), environment });
  try {
    process.stdout.write("Webhook deliveries per second (ratio to the bare loop)\n");
    const rates: DeliveryRates[] = [];
    for (const endpoints of ENDPOINTS) {
      rates.push(await measureOne(scene, await startReceiverProcess(receiver, endpoints), deliveries));
    }
    const latencies = await measureTransfers(scene, product.apiUrl, transfers);
    return { rates, latencies };
  } finally {
    await product.kill();
  }
}

async function measureOne(
  scene: WebhookScene,
  receiver: Receiver,
  deliveries: number,
): Promise<DeliveryRates> {
  try {
    const listener = await scene.addListener(receiver.urls);
    const measured = await measureDeliveries(scene, listener, receiver, deliveries);
    process.stdout.write(renderRates(measured));
    return measured;
  } finally {
    await receiver.stop();
  }
}

async function measureTransfers(scene: WebhookScene, apiUrl: string, transfers: number): Promise<Latencies> {
  const arrivals = await openArrivals();
  try {
    const listener = await scene.addListener([arrivals.receiver.url]);
    const measured = await measureLatencies(apiUrl, listener, arrivals, transfers);
    process.stdout.write(renderLatencies(measured));
    return measured;
  } finally {
    await arrivals.receiver.close();
  }
}

function renderRates({ endpoints, sluicePerSecond, barePerSecond }: DeliveryRates): string {
  const line = (name: string, rate: number) =>
    `  ${name.padEnd(36)} ${rate.toFixed(0).padStart(6)}  ${(rate / barePerSecond).toFixed(2)}\n`;
  return [
    `  to ${endpoints} ${endpoints === 1 ? "endpoint" : "endpoints"}\n`,
    line("  due already, delivered and recorded", sluicePerSecond),
    line("  bare loop, nothing recorded", barePerSecond),
  ].join("");
}

function renderLatencies({ fromRequestMs, fromAnswerMs, toBookedMs }: Latencies): string {
  const line = (name: string, sorted: readonly number[]) => {
    const percentile = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
    return `  ${name.padEnd(40)} ${percentile(0.5).padStart(6)}  ${percentile(0.99).padStart(6)}\n`;
  };
  return [
    "\nFrom a transfer over the API to its event   p50 ms  p99 ms\n",
    line("first event, after the request", fromRequestMs),
    line("first event, after the answer", fromAnswerMs),
    line("event of the booking, after the request", toBookedMs),
  ].join("");
}
