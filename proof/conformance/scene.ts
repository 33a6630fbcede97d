import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDemo, startProduct } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import type { PermissionInput } from "@/lib/contract/permissions";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { openDatabase } from "@/lib/db/database";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import { createLog } from "@/lib/platform/log";
import { createApiKey } from "@/lib/testing/as-entered";
import { findFreePort } from "@/lib/testing/product-process";
import type { Undoing } from "@/proof/conformance/suite";

/** A revision takes about 120 requests, and a key may make 100 a minute. */
const KEYS = 8;

/** The product as `npm start` starts it, with its demo, behind a stand-in for a reverse proxy. */
export interface Scene {
  /** The public address, and the issuer of access tokens. */
  appUrl: string;
  mcpUrl: string;
  demo: DemoDescription;
  /** For the suite's output; deleted afterwards. */
  folder: string;
}

export async function openScene(undoing: Undoing): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-conformance-"));
  // A database that is shutting down still writes.
  undoing.add(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const [port, productPort] = await Promise.all([findFreePort(), findFreePort()]);
  const appUrl = `http://localhost:${port}`;
  const dataDirectory = join(folder, "data");
  await startProduct(dataDirectory, productPort, { appUrl, onSpawn: (stop) => undoing.add(stop) });
  const demo = await readDemo(dataDirectory);
  const credentials = await makeKeys(dataDirectory, demo, KEYS);
  const { pathname: path } = new URL(demo.mcpUrl);
  const forwarder = await startForwarder({ port, productPort, path, credentials });
  undoing.add(() => forwarder.close());
  return { appUrl, mcpUrl: demo.mcpUrl, demo, folder };
}

interface Forwarder {
  close(): Promise<void>;
}

/** Two hosts with one address each, on this machine. */
interface ForwardOptions {
  /** Where it listens: the public address of the product. */
  port: number;
  /** Where the product listens. */
  productPort: number;
  /** Requests to this path without a credential get one. */
  path: string;
  /** In turn: a run makes more requests a minute than one key may. */
  credentials: readonly string[];
}

/**
 * Runs in front of the product in this test, like a reverse proxy. The suite cannot send a credential, so this adds
 * one; everything else, above all `Host` and `Origin`, reaches the product unchanged.
 */
async function startForwarder(options: ForwardOptions): Promise<Forwarder> {
  let sent = 0;
  const server = createServer((incoming, response) => {
    const credential = options.credentials[sent++ % options.credentials.length];
    forward(incoming, response, { ...options, credential });
  });
  server.listen(options.port, "localhost");
  await once(server, "listening");
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { productPort, path, credential }: ForwardOptions & { credential: string | undefined },
): void {
  const needsCredential = incoming.url === path && incoming.headers.authorization === undefined;
  const added = needsCredential && credential ? ["Authorization", `Bearer ${credential}`] : [];
  const outgoing = request({
    host: "localhost",
    port: productPort,
    method: incoming.method,
    path: incoming.url,
    headers: [...incoming.rawHeaders, ...added],
  });
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  // Without the product there is nothing to answer; the suite reports the broken connection.
  outgoing.once("error", () => response.destroy());
  response.once("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Everything that a key may do, with every transfer and run requiring approval. */
const EVERYTHING: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "CREATE_ACCOUNTS" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }] },
  { type: "READ_AUDIT_LOGS" },
];

/** Creates keys of the demo's owner beside the product that runs on this folder. @returns their texts */
async function makeKeys(dataDirectory: string, demo: DemoDescription, count: number): Promise<string[]> {
  const database = await openDatabase({ config: loadConfig({ SLUICE_DATA_DIR: dataDirectory }) });
  try {
    // The demo's owner has no authenticator app, so nothing is ever decrypted with this.
    const authenticatorSecrets = createEncryption("none", "authenticator secrets");
    const services = {
      pool: database.pool,
      clock: systemClock,
      authenticatorSecrets,
      log: createLog("silent"),
    };
    const context = memberContext(services, await signInOwner(services, demo));
    const texts: string[] = [];
    for (let made = 0; made < count; made++) {
      const input = { name: `conformance-${made}`, permissions: EVERYTHING };
      texts.push((await createApiKey(services, context, input)).text);
    }
    return texts;
  } finally {
    await database.close();
  }
}

async function signInOwner(services: Parameters<typeof signInWithPassword>[0], demo: DemoDescription) {
  const owner = ownerOf(demo);
  const browser = { networkAddress: null, userAgent: "Conformance", browserIds: [] };
  const outcome = await signInWithPassword(services, owner, browser);
  const session = outcome.kind === "SIGNED_IN" ? await readSession(services, outcome.sessionId) : null;
  if (!session) throw new Error("The demo's owner cannot sign in");
  return session;
}

/** Email and password of the demo's owner. */
export function ownerOf(demo: DemoDescription): { email: string; password: string } {
  const owner = demo.members.find(({ role }) => role === "OWNER");
  if (!owner) throw new Error("The demo has no owner");
  return owner;
}
