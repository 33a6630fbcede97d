import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRODUCT_LOG, startProduct } from "@/e2e/product";

/** One product for all journeys, on a data folder that is gone afterwards. */
export default async function setUp(): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-e2e-"));
  process.env[PRODUCT_LOG] = join(dataDirectory, "e2e-product.log");
  const product = await startProduct(dataDirectory);
  process.env.E2E_DATA_DIR = dataDirectory;
  return async () => {
    await product.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}
