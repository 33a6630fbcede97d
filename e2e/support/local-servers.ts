import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server } from "node:net";
import { join } from "node:path";
import { demoFolder } from "@/e2e/support/demo-folder";

/** Starts a journey's server on a free port of this machine. */
async function listen(
  server: Server & { closeAllConnections: () => void },
): Promise<{ port: number; close: () => Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "localhost", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A server has a port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: address.port, close };
}

export interface CallbackServer {
  /** The redirect address for browsers. */
  url: string;
  /** The parameters of the last redirect; null if none came since the last call. */
  take: () => URLSearchParams | null;
  close: () => Promise<void>;
}

/** The server that a program on the person's own machine opens to receive its code (RFC 8252, 7.3). */
export async function openCallback(): Promise<CallbackServer> {
  let last: URLSearchParams | null = null;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/callback") last = searchParams;
    response.writeHead(pathname === "/callback" ? 200 : 404, { "Content-Type": "text/html" });
    response.end("<!doctype html><title>Back</title><h1>Back at the assistant</h1>");
  });
  const { port, close } = await listen(server);
  return {
    url: `http://localhost:${port}/callback`,
    take: () => {
      const taken = last;
      last = null;
      return taken;
    },
    close,
  };
}

export const CERTIFICATE_FILE = "e2e-localhost.pem";
export const KEY_FILE = "e2e-localhost.key";

export interface DocumentServer {
  /** The document's address: its client's id. */
  url: string;
  /** How often it was fetched. */
  fetched: () => number;
  close: () => Promise<void>;
}

/** Publishes a client's metadata document (Client ID Metadata Document), over https with a trusted certificate. */
export async function publishDocument(
  document: (url: string) => Record<string, unknown>,
): Promise<DocumentServer> {
  const read = (name: string) => readFileSync(join(demoFolder(), name));
  let count = 0;
  let url = "";
  const server = createSecureServer(
    { key: read(KEY_FILE), cert: read(CERTIFICATE_FILE) },
    (request, response) => {
      count += 1;
      const isFound = request.url === "/client.json";
      response.writeHead(isFound ? 200 : 404, { "Content-Type": "application/json" });
      response.end(JSON.stringify(isFound ? document(url) : {}));
    },
  );
  const { port, close } = await listen(server);
  url = `https://localhost:${port}/client.json`;
  return { url, fetched: () => count, close };
}
