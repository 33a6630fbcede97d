import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { buildProgram } from "@/lib/testing/build-program";
import { findFreePort, type ProductProcess, startProduct } from "@/lib/testing/product-process";
import { isRunning, readPostmasterPid } from "@/lib/testing/server-processes";
import { waitUntil } from "@/lib/testing/wait-until";

export type ProductPair = Awaited<ReturnType<typeof startProductPair>>;

/** Two processes of the product on one embedded database, with the pools of the test beside them. */
export async function startProductPair() {
  const program = await buildProgram("lib/testing/product-process-main.ts");
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-pair-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const products: ProductProcess[] = [];
  const close = async () => {
    await Promise.all(products.map((product) => product.kill()));
    await Promise.all([pool.end(), ownerPool.end()]);
    await engine.leave();
    await waitUntil("PostgreSQL ends", async () => {
      const pid = await readPostmasterPid(dataDirectory).catch(() => null);
      return pid === null || !(await isRunning(pid));
    });
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
    await program.remove();
  };
  try {
    const start = async () =>
      products.push(await startProduct({ program: program.path, dataDirectory, port: await findFreePort() }));
    await start();
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  const apiUrls = products.map((product) => product.apiUrl);
  return { pool, ownerPool, apiUrls, close };
}
