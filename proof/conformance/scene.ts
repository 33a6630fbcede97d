import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDemo, startProduct } from "@/e2e/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { findFreePort } from "@/lib/testing/product-process";
import { startForwarder } from "@/proof/conformance/forward";
import { makeKeys } from "@/proof/conformance/make-keys";
import type { Undoing } from "@/proof/conformance/undoing";

/** A revision takes some 120 requests, and a key may make 100 in a minute. */
const KEYS = 8;

/** The product as `npm start` starts it, with its demo, and before it what a reverse proxy would be. */
export interface Scene {
  /** The public address, and the issuer of access tokens. */
  appUrl: string;
  mcpUrl: string;
  demo: DemoDescription;
  /** For what the suite leaves behind; gone afterwards. */
  folder: string;
}

export async function openScene(undoing: Undoing): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-conformance-"));
  // A database that is just closing still writes.
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
