import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Random } from "@/proof/torture/actors/agent";

/** Between the products and the emulated bank: answers come late, are lost, fail, or say things twice. */
export interface BankProxy {
  url: string;
  /** While true, connections are cut before anything reaches the bank. */
  refuse(isRefusing: boolean): void;
  /** From now on every answer is as the bank gave it. */
  recover(): void;
  /** How many answers were disturbed. */
  disturbed(): number;
  close(): Promise<void>;
}

/** LOST and BROKEN: carried out, and its sender learns nothing of it. FAILED and BUSY: not carried out. */
type Disturbance = "NONE" | "LATE" | "LOST" | "BROKEN" | "FAILED" | "BUSY" | "DOUBLED";

/** Of a hundred requests. Creations suffer most: what became of them is what the adapter must find out. */
const CREATION: readonly [Disturbance, number][] = [
  ["LOST", 12],
  ["BROKEN", 6],
  ["FAILED", 6],
  ["BUSY", 3],
  ["LATE", 10],
];
const READING: readonly [Disturbance, number][] = [
  ["LOST", 1],
  ["FAILED", 1],
  ["LATE", 3],
];
/** Of the feed of events. */
const EVENTS: readonly [Disturbance, number][] = [
  ["DOUBLED", 25],
  ["LOST", 3],
  ["FAILED", 3],
  ["LATE", 5],
];
const MOST_LATE_MS = 2_500;
const MAXIMUM_BODY = 100_000;
const SERVER_ERROR = { type: "internal_server_error", title: "Internal error.", detail: null, status: 500 };
const BUSY = { type: "rate_limited_error", title: "Slow down.", detail: null, status: 429, retry_after: 1 };

export async function startBankProxy(target: string, random: Random): Promise<BankProxy> {
  let isCalm = false;
  let isRefusing = false;
  let disturbed = 0;
  const server = createServer((request, response) => {
    if (isRefusing) {
      request.socket.destroy();
      return;
    }
    const disturbance = isCalm ? "NONE" : draw(request, random);
    if (disturbance !== "NONE") disturbed += 1;
    // A product that was killed has hung up: there is nobody to answer.
    relay(target, { request, response }, disturbance, random).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A server has a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    refuse: (refusing) => {
      isRefusing = refusing;
      if (refusing) server.closeAllConnections();
    },
    recover: () => {
      isCalm = true;
    },
    disturbed: () => disturbed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function draw({ method, url = "" }: IncomingMessage, random: Random): Disturbance {
  const table = method === "POST" ? CREATION : url.startsWith("/events") ? EVENTS : READING;
  let rest = random(1, 100);
  for (const [disturbance, weight] of table) {
    rest -= weight;
    if (rest <= 0) return disturbance;
  }
  return "NONE";
}

async function relay(
  target: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  disturbance: Disturbance,
  random: Random,
): Promise<void> {
  const body = await readBody(request);
  if (disturbance === "FAILED") return answer(response, 500, SERVER_ERROR);
  if (disturbance === "BUSY") return answer(response, 429, BUSY);
  if (disturbance === "LATE") await sleep(random(100, MOST_LATE_MS));
  const key = request.headers["idempotency-key"];
  const carriedOut = await fetch(`${target}${request.url}`, {
    method: request.method ?? "GET",
    headers: {
      authorization: request.headers.authorization ?? "",
      ...(body !== "" && { "content-type": "application/json" }),
      ...(typeof key === "string" && { "idempotency-key": key }),
    },
    ...(body !== "" && { body }),
  });
  const json: unknown = await carriedOut.json();
  if (disturbance === "LOST") request.socket.destroy();
  else if (disturbance === "BROKEN") answer(response, 502, SERVER_ERROR);
  else answer(response, carriedOut.status, disturbance === "DOUBLED" ? doubled(json) : json);
}

/** Each event twice in a row, the second time as another event about the same thing. */
function doubled(page: unknown): unknown {
  const { data, ...rest } = Object(page);
  if (!Array.isArray(data)) return page;
  const twice = data.flatMap((event: object & { id: string }) => [
    event,
    { ...event, id: `${event.id}_again` },
  ]);
  return { ...rest, data: twice };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAXIMUM_BODY) throw new Error("The body is too long");
  }
  return text;
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 429 && { "retry-after": "1" }),
  });
  response.end(JSON.stringify(json));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
