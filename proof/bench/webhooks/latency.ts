import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { z } from "zod";
import { webhookEventSchema } from "@/lib/contract/webhooks";
import { startReceiver, type TestReceiver } from "@/lib/testing/webhooks";
import type { Listener } from "./scene";

/**
 * Sorted, in milliseconds. The commit happens between a request and its response: the truth is between the first two.
 */
export interface Latencies {
  /** From sending the request to the arrival of its first event: commit and request included. */
  fromRequestMs: number[];
  /** From the response to that arrival; negative if the event was faster. */
  fromAnswerMs: number[];
  /** From the request to the arrival of the booking's event. */
  toBookedMs: number[];
}

const PAUSE_MS = 40;
const WARM_UP = 20;
/** One `PROCESSING`, one `COMPLETE`. */
const EVENTS_OF_A_TRANSFER = 2;
const ARRIVAL_TIMEOUT_MS = 10_000;

interface Arrivals {
  receiver: TestReceiver;
  /** @returns when each event of this resource arrived, once so many have */
  waitFor(resourceId: string, count: number): Promise<number[]>;
}

export async function openArrivals(): Promise<Arrivals> {
  const arrivals = new Map<string, number[]>();
  let reported: () => void = () => undefined;
  const receiver = await startReceiver(({ body }) => {
    const { resource } = webhookEventSchema.parse(JSON.parse(body));
    arrivals.set(resource.id, [...(arrivals.get(resource.id) ?? []), performance.now()]);
    reported();
    return 204;
  });
  const waitFor = async (resourceId: string, count: number) => {
    const deadline = performance.now() + ARRIVAL_TIMEOUT_MS;
    for (;;) {
      const found = arrivals.get(resourceId) ?? [];
      if (found.length >= count) return found;
      if (performance.now() > deadline) throw new Error(`Only ${found.length} of ${count} events arrived`);
      await Promise.race([pause(ARRIVAL_TIMEOUT_MS, undefined, { ref: false }), arrival()]);
    }
  };
  const arrival = () =>
    new Promise<void>((resolve) => {
      reported = resolve;
    });
  return { receiver, waitFor };
}

/** Single transfers over the API, each once the events of the previous one have arrived. */
export async function measureLatencies(
  apiUrl: string,
  listener: Listener,
  arrivals: Arrivals,
  transfers: number,
): Promise<Latencies> {
  const measured: Latencies = { fromRequestMs: [], fromAnswerMs: [], toBookedMs: [] };
  for (let made = 0; made < transfers + WARM_UP; made++) {
    const keyText = listener.keyTexts[made % listener.keyTexts.length] ?? "";
    const sentAt = performance.now();
    const id = await createTransfer(apiUrl, listener, keyText);
    const answeredAt = performance.now();
    const [first = 0, second = 0] = await arrivals.waitFor(id, EVENTS_OF_A_TRANSFER);
    if (made >= WARM_UP) {
      measured.fromRequestMs.push(first - sentAt);
      measured.fromAnswerMs.push(first - answeredAt);
      measured.toBookedMs.push(second - sentAt);
    }
    await pause(PAUSE_MS);
  }
  for (const times of Object.values(measured)) times.sort((left: number, right: number) => left - right);
  return measured;
}

const createdSchema = z.object({ data: z.object({ id: z.uuid() }) });

async function createTransfer(apiUrl: string, listener: Listener, keyText: string): Promise<string> {
  const answer = await request(`${apiUrl}/transfers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keyText}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({
      sourceAccountId: listener.source,
      destinationAccountId: listener.destination,
      amountInCents: 100,
    }),
  });
  const body = await answer.body.json();
  if (answer.statusCode !== 202)
    throw new Error(`Refused with ${answer.statusCode}: ${JSON.stringify(body)}`);
  return createdSchema.parse(body).data.id;
}
