import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CERTIFICATE_FILE, KEY_FILE } from "@/e2e/document-server";
import { PRODUCT_LOG, startProduct } from "@/e2e/product";
import { copyUnusedDemo, makeUnusedDemo } from "@/e2e/unused-demo";
import { makeCertificate } from "@/lib/testing/certificate";

/** One product for most journeys, on a data folder that is gone afterwards. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-e2e-"));
  await makeUnusedDemo(join(folder, "unused"));
  const dataDirectory = join(folder, "data");
  await copyUnusedDemo(dataDirectory);
  process.env[PRODUCT_LOG] = join(dataDirectory, "e2e-product.log");
  const trusted = await writeCertificate(dataDirectory);
  const product = await startProduct(dataDirectory, undefined, {
    environment: { NODE_EXTRA_CA_CERTS: trusted, SLUICE_DESIGN_PAGE: "1" },
  });
  process.env.E2E_DATA_DIR = dataDirectory;
  return async () => {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * The product trusts what a journey publishes over https on this machine (e2e/document-server.ts).
 * @returns where the certificate is
 */
async function writeCertificate(dataDirectory: string): Promise<string> {
  const { key, cert } = makeCertificate("localhost");
  const path = join(dataDirectory, CERTIFICATE_FILE);
  await writeFile(join(dataDirectory, KEY_FILE), key, { mode: 0o600 });
  await writeFile(path, cert);
  return path;
}
