import { Agent, type ClientRequest, type IncomingMessage, request as open } from "node:http";
import { connect, type Socket } from "node:net";
import { proofSize } from "@/lib/testing/proof-size";

/**
 * A response that takes longer counts as hanging. Only the full proof has the machine to itself: on a busy one, a first
 * server action has taken more than ten seconds.
 */
export const ANSWER_WITHIN_MS = proofSize(60_000, 10_000);
/** A connection with no more data counts as answered. */
const QUIET_MS = 1_000;
/** Much longer than any page; the rest of a file is ignored. */
const MAXIMUM_TEXT_BYTES = 4 * 1024 * 1024;

export interface Sender {
  send(request: FuzzRequest): Promise<Answer>;
  close(): void;
}

/** @param port of the product on this machine */
export function createSender(port: number, concurrency: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, maxFreeSockets: concurrency });
  return {
    send: ({ sent }) => (sent.kind === "HTTP" ? sendHttp(sent, port, agent) : sendRaw(sent, port)),
    close: () => agent.destroy(),
  };
}

/** The last request on each connection: the one before may cause the loss of the next. */
const lastSent = new WeakMap<Socket, HttpRequest>();

interface Ending {
  outcome: Answer["outcome"];
  statuses?: number[];
  headers?: Record<string, string>;
  text?: string;
}

function sendHttp(sent: HttpRequest, port: number, agent: Agent): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const request = open({
      agent,
      host: "127.0.0.1",
      port,
      method: sent.method,
      path: sent.target,
      headers: groupHeaders([["Host", `localhost:${port}`], ...lengthOf(sent), ...sent.headers]),
    });
    let before: HttpRequest | null = null;
    request.on("socket", (socket) => {
      before = lastSent.get(socket) ?? null;
      lastSent.set(socket, sent);
    });
    const end = (ending: Ending) => {
      clearTimeout(limit);
      clearTimeout(leave);
      resolve({ ...toAnswer(ending, startedAt), before });
    };
    const giveUp = (outcome: "HUNG" | "LEFT") => {
      end({ outcome });
      request.destroy();
    };
    const limit = setTimeout(() => giveUp("HUNG"), ANSWER_WITHIN_MS);
    const leave =
      sent.leavesAfterMs === null ? undefined : setTimeout(() => giveUp("LEFT"), sent.leavesAfterMs);
    listen(request, end);
    request.end(sent.body ?? undefined);
  });
}

/** Node sends no length with methods that mostly have no body: what follows would be read as another request. */
function lengthOf({ body }: HttpRequest): HttpRequest["headers"] {
  return body === null ? [] : [["Content-Length", String(body.length)]];
}

/** The last host wins; other headers are repeated as given. */
function groupHeaders(headers: HttpRequest["headers"]): Record<string, string | string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const known = name.toLowerCase() === "host" ? [] : (byName.get(name.toLowerCase()) ?? []);
    byName.set(name.toLowerCase(), [...known, value]);
  }
  return Object.fromEntries(
    Array.from(byName, ([name, values]) => [name, values.length > 1 ? values : (values[0] ?? "")]),
  );
}

function listen(request: ClientRequest, end: (ending: Ending) => void): void {
  // A response before the connection broke counts: the sender of too much gets an error and is cut off.
  let begun: IncomingMessage | null = null;
  request.on("error", () => {
    if (!begun) end({ outcome: "CUT" });
  });
  request.on("response", (response) => {
    begun = response;
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAXIMUM_TEXT_BYTES) chunks.push(chunk);
    });
    response.on("close", () =>
      end({
        outcome: response.complete ? "ANSWERED" : "CUT",
        statuses: [response.statusCode ?? 0],
        headers: flatten(response.headers),
        text: Buffer.concat(chunks).toString("utf8"),
      }),
    );
    response.on("error", () => response.destroy());
  });
}

function flatten(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Writes the parts one after the other, whatever comes back. */
function sendRaw(sent: RawRequest, port: number): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const end = (outcome: Answer["outcome"]) => {
      clearTimeout(limit);
      clearTimeout(quiet);
      resolve(toAnswer({ outcome, ...readRaw(Buffer.concat(chunks).toString("latin1")) }, startedAt));
    };
    const limit = setTimeout(() => {
      end("HUNG");
      socket.destroy();
    }, ANSWER_WITHIN_MS);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      // It may be waiting for another request.
      quiet = setTimeout(() => socket.destroy(), QUIET_MS);
    });
    // The other end may close while parts are still written: that is its response.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => end(sent.end === "RESET" ? "LEFT" : "ANSWERED"));
    void writeParts(socket, sent);
  });
}

async function writeParts(socket: Socket, { parts, end }: RawRequest): Promise<void> {
  for (const { bytes, pauseMs } of parts) {
    if (socket.destroyed) return;
    socket.write(bytes);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  if (end === "RESET") socket.resetAndDestroy();
}

function readRaw(text: string): Pick<Ending, "statuses" | "headers" | "text"> {
  const statuses = [...text.matchAll(/(?:^|\n)HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, text, headers: {} };
}

function toAnswer({ outcome, statuses = [], headers = {}, text = "" }: Ending, startedAt: number): Answer {
  return { outcome, statuses, headers, text, before: null, durationMs: performance.now() - startedAt };
}

/** An ordinary HTTP request with arbitrary content. */
export interface HttpRequest {
  kind: "HTTP";
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  /** When the caller disconnects before the response is complete; null: never. */
  leavesAfterMs: number | null;
}

/** Bytes on a socket, which need not be HTTP. */
export interface RawRequest {
  kind: "RAW";
  parts: readonly { bytes: Buffer; pauseMs: number }[];
  /** `READ` until the other end closes; `RESET` it at once. */
  end: "READ" | "RESET";
}

/** The contract to check a response against, beyond the general checks. */
type Contract = "API" | "MCP" | "OAUTH" | "PAGE" | "NONE";

export interface FuzzRequest {
  /** The file of `proof/fuzz/transports` that made it. */
  transport: string;
  /** Its subject without anything random: findings of one shape are one. */
  shape: string;
  contract: Contract;
  sent: HttpRequest | RawRequest;
}

export interface Answer {
  /** `LEFT`: the caller disconnected as intended. `CUT`: the connection ended before a complete response. */
  outcome: "ANSWERED" | "LEFT" | "CUT" | "HUNG";
  /** The responses on the connection, in order. */
  statuses: readonly number[];
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The previous request on the same connection; null if none. */
  before: HttpRequest | null;
  durationMs: number;
}
