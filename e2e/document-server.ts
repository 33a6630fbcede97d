import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { demoFolder } from "@/e2e/demo-folder";
import { listen } from "@/e2e/listen";

export const CERTIFICATE_FILE = "e2e-localhost.pem";
export const KEY_FILE = "e2e-localhost.key";

export interface DocumentServer {
  /** Where the document is: the id of its client. */
  url: string;
  /** How often it was fetched. */
  fetched: () => number;
  close: () => Promise<void>;
}

/** Publishes what a client says of itself (Client ID Metadata Document), over https with a certificate that counts. */
export async function publishDocument(
  document: (url: string) => Record<string, unknown>,
): Promise<DocumentServer> {
  const read = (name: string) => readFileSync(join(demoFolder(), name));
  let count = 0;
  let url = "";
  const server = createServer({ key: read(KEY_FILE), cert: read(CERTIFICATE_FILE) }, (request, response) => {
    count += 1;
    const isFound = request.url === "/client.json";
    response.writeHead(isFound ? 200 : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isFound ? document(url) : {}));
  });
  const { port, close } = await listen(server);
  url = `https://localhost:${port}/client.json`;
  return { url, fetched: () => count, close };
}
