import { randomUUID } from "node:crypto";
import { z } from "zod";
import { transferSchema } from "@/lib/contract/transfer";

export interface PlannedTransfer {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  /** The group of the client's keys that asks; keys of one group have the same permissions. */
  keyGroup: string;
}

/** One transfer that the client wants, however often it has to ask. */
interface Intent {
  /** The transfer's description: an auditor finds the transfers of an intent by it, without asking the client. */
  mark: string;
  keyText: string;
  idempotencyKey: string;
  planned: PlannedTransfer;
}

const acceptedSchema = z.object({ data: transferSchema });
const refusedSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const CONCURRENCY = 8;
const TIMEOUT_MS = 20_000;
/** All repetitions stay far below the rate limit. */
const INTENTS_PER_KEY = 50;
/** Every so many requests an answered one is sent again, as by a client that lost its records. */
const REPEAT_EVERY = 10;

/**
 * A client as the API expects it: one idempotency key per transfer. If it does not know the outcome (no answer, a 500,
 * "in progress"), it sends the same request with the same key again until it is answered.
 */
export class CarefulClient {
  /** Transfer ids answered with 202, by mark. */
  readonly answers = new Map<string, string>();
  unclearRequests = 0;
  replays = 0;
  intents = 0;
  /** The longest that one request took, answered or not. */
  slowestMs = 0;
  #requests = 0;
  #unclear: Intent[] = [];
  #lastAnswered: Intent | null = null;
  readonly #plan: () => PlannedTransfer;
  readonly #keys: Map<string, { unused: string[]; text: string; uses: number }>;

  constructor(plan: () => PlannedTransfer, keyGroups: Record<string, string[]>) {
    this.#plan = plan;
    this.#keys = new Map(
      Object.entries(keyGroups).map(([group, [text = "", ...unused]]) => [group, { unused, text, uses: 0 }]),
    );
  }

  /** Sends over several connections until aborted, unclear requests first; then waits for those in progress. */
  async load(apiUrl: string, signal: AbortSignal): Promise<void> {
    await inParallel(async () => {
      while (!signal.aborted) await this.#send(apiUrl, this.#next());
    });
  }

  /** @returns when every outcome is known */
  async clarify(apiUrl: string): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    await inParallel(async () => {
      for (let intent = this.#unclear.shift(); intent; intent = this.#unclear.shift()) {
        if (performance.now() > deadline) throw new Error("Some requests never get a clear answer");
        await this.#send(apiUrl, intent);
      }
    });
  }

  #next(): Intent {
    this.#requests += 1;
    const repeated = this.#requests % REPEAT_EVERY === 0 ? this.#lastAnswered : null;
    return this.#unclear.shift() ?? repeated ?? this.#invent();
  }

  #invent(): Intent {
    const planned = this.#plan();
    this.intents += 1;
    return {
      mark: `n${this.intents}`,
      keyText: this.#takeKey(planned.keyGroup),
      idempotencyKey: randomUUID(),
      planned,
    };
  }

  #takeKey(group: string): string {
    const key = this.#keys.get(group);
    if (!key) throw new Error(`There are no keys called ${group}`);
    key.uses += 1;
    if (key.uses > INTENTS_PER_KEY) {
      const next = key.unused.shift();
      if (next === undefined) throw new Error(`The load needs more keys called ${group}`);
      key.text = next;
      key.uses = 1;
    }
    return key.text;
  }

  async #send(apiUrl: string, intent: Intent): Promise<void> {
    const sentAt = performance.now();
    const response = await post(apiUrl, intent).catch(() => null);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
    if (!response || isUnclear(response)) {
      this.unclearRequests += 1;
      this.#unclear.push(intent);
      return;
    }
    const { data: transfer } = acceptedSchema.parse(JSON.parse(response.text));
    const earlier = this.answers.get(intent.mark);
    if (earlier !== undefined && earlier !== transfer.id) {
      throw new Error(`${intent.mark} was answered with two transfers: ${earlier} and ${transfer.id}`);
    }
    if (response.isReplay) this.replays += 1;
    this.answers.set(intent.mark, transfer.id);
    this.#lastAnswered = intent;
  }
}

interface ReceivedResponse {
  status: number;
  text: string;
  isReplay: boolean;
}

/** Rejects if the connection breaks, even in the middle of the response. */
async function post(apiUrl: string, { mark, keyText, idempotencyKey, planned }: Intent) {
  const { keyGroup: _, ...transfer } = planned;
  const response = await fetch(`${apiUrl}/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Idempotency-Key": idempotencyKey,
    },
    body: JSON.stringify({ ...transfer, description: mark }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, text, isReplay: response.headers.get("idempotent-replayed") === "true" };
}

/** @throws Error for a refusal: every request of this client is valid */
function isUnclear({ status, text }: ReceivedResponse): boolean {
  if (status === 202) return false;
  const { error } = refusedSchema.parse(JSON.parse(text));
  if (status === 500 || error.code === "TRANSFER_IN_PROGRESS") return true;
  throw new Error(`Refused with ${status} ${error.code}: ${error.message}`);
}

async function inParallel(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
