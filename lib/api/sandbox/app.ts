import { Hono } from "hono";
import { notListed } from "@/lib/api/http/app";
import { CLOSES_CONNECTION } from "@/lib/api/http/read-body";
import { SILENCE_MS } from "@/lib/contract/sandbox";
import { RECEIVER_TEXTS, RECEIVERS_PATH, receiveDelivery } from "@/lib/core/sandbox/receiver";
import type { RequestBindings } from "@/lib/platform/observe/request-facts";
import type { Services } from "@/lib/platform/services";

/** Each held request is a socket of this process. */
const MAXIMUM_HELD = 64;

/** Requests held unanswered for a while, to try out a sender's timeout. */
export class HeldAnswers {
  readonly #held = new Set<(end: HeldEnd) => void>();
  #isReleased = false;

  /** @param signal aborted when the sender disconnects */
  hold(signal: AbortSignal): Promise<HeldEnd> {
    if (this.#isReleased || this.#held.size >= MAXIMUM_HELD) return Promise.resolve("REFUSED");
    if (signal.aborted) return Promise.resolve("GONE_AWAY");
    return new Promise((resolve) => {
      const end = (how: HeldEnd) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", hungUp);
        this.#held.delete(end);
        resolve(how);
      };
      const hungUp = () => end("GONE_AWAY");
      const timer = setTimeout(() => end("SILENT"), SILENCE_MS);
      signal.addEventListener("abort", hungUp);
      this.#held.add(end);
    });
  }

  /** Releases all of them and holds none from now on: a stopping process does not wait for them. */
  release(): void {
    this.#isReleased = true;
    for (const end of [...this.#held]) end("REFUSED");
  }
}

/** An event has about 250 bytes. */
const MAXIMUM_BODY_BYTES = 16 * 1024;

export interface SandboxReceivers {
  fetch: (request: Request, bindings?: RequestBindings) => Response | Promise<Response>;
  /** Answers held requests, so that a stopping process does not wait for them. */
  release(): void;
}

/**
 * The sandbox's receivers, to which Sluice delivers its own webhooks. Plain-text 404 for everything else, and for
 * everything in an installation without this sandbox.
 * @param isOpen only while nothing real is configured and webhooks may go to this machine
 */
export function createSandboxReceivers(
  services: Pick<Services, "pool" | "clock">,
  isOpen: boolean,
): SandboxReceivers {
  const app = new Hono<{ Bindings: RequestBindings }>();
  const held = new HeldAnswers();
  if (isOpen) {
    app.post(`${RECEIVERS_PATH}/:token`, async (c) => {
      const body = await readAtMost(c.req.raw, MAXIMUM_BODY_BYTES);
      if (body === null) return c.text("Larger than any event.", 413, CLOSES_CONNECTION);
      const delivery = await receiveDelivery(services, c.req.param("token"), body);
      if (delivery.kind === "NO_RECEIVER") return notListed(c);
      if (delivery.kind === "NOT_AN_EVENT") return c.text("This is not an event.", 400);
      if (delivery.status === null) return await waitInSilence(held, c.req.raw.signal);
      return answer(delivery.status);
    });
  }
  app.notFound(notListed);
  return { fetch: (request, bindings) => app.fetch(request, bindings), release: () => held.release() };
}

function answer(status: number, headers?: Record<string, string>): Response {
  return new Response(RECEIVER_TEXTS[status] ?? null, { status, headers });
}

async function waitInSilence(held: HeldAnswers, signal: AbortSignal): Promise<Response> {
  const end = await held.hold(signal);
  // A request that cannot be held fails anyway. A keep-alive connection would hold up a stopping process.
  return end === "REFUSED" ? answer(503, { Connection: "close" }) : answer(204);
}

/**
 * The body as text, with invalid UTF-8 replaced.
 * @returns null for a longer one, even when it hides or understates its length.
 */
async function readAtMost(request: Request, maximumBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** How a wait ended: time is over, the sender left, or no more requests may be held. */
type HeldEnd = "SILENT" | "GONE_AWAY" | "REFUSED";
