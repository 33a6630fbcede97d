import { createServer, type IncomingMessage, type Server } from "node:http";

/** One request of the adapter, and its response. */
export interface PlaidRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

export interface PlaidReply {
  status?: number;
  json?: unknown;
  /** Instead of JSON. */
  text?: string;
  /** Never answers. */
  isSilent?: boolean;
}

export interface FakePlaid {
  baseUrl: string;
  requests: PlaidRequest[];
  /** Replaces the response to a path; a function is called for each request. */
  answer(path: string, reply: PlaidReply | ((request: PlaidRequest) => PlaidReply)): void;
  close(): Promise<void>;
}

/** An HTTP server on this machine that behaves as Plaid is documented; a test sets the response to every path. */
export async function startFakePlaid(): Promise<FakePlaid> {
  const replies = new Map<string, (request: PlaidRequest) => PlaidReply>();
  const requests: PlaidRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: toRecord(body) };
    requests.push(request);
    const reply = replies.get(request.path)?.(request) ?? { status: 404, text: "no such path" };
    if (reply.isSilent) return;
    outgoing.writeHead(reply.status ?? 200, {
      "Content-Type": reply.text ? "text/html" : "application/json",
    });
    outgoing.end(reply.text ?? JSON.stringify(reply.json));
  });
  const port = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    answer: (path, reply) => replies.set(path, typeof reply === "function" ? reply : () => reply),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The fake Plaid has no port");
  return address.port;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
