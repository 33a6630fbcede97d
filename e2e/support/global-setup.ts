import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyUnusedDemo, DEMO_FOLDER, makeUnusedDemo, SECOND_DEMO_FOLDER } from "@/e2e/support/demo-folder";
import { CERTIFICATE_FILE, KEY_FILE } from "@/e2e/support/local-servers";
import { PRODUCT_LOG, type Product, startProduct } from "@/e2e/support/product";
import { makeCertificate } from "@/lib/testing/servers/certificate";

/** Two products for most journeys, on data folders that are deleted afterwards. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-e2e-"));
  await makeUnusedDemo(join(folder, "unused"));
  process.env[PRODUCT_LOG] = join(folder, "e2e-product.log");
  const products = await Promise.all(
    [DEMO_FOLDER, SECOND_DEMO_FOLDER].map(async (variable) => {
      const product = await startDemo(join(folder, variable));
      process.env[variable] = product.dataDirectory;
      return product;
    }),
  );
  return async () => {
    await Promise.all(products.map((product) => product.stop()));
    await rm(folder, { recursive: true, force: true });
  };
}

async function startDemo(dataDirectory: string): Promise<Product> {
  await copyUnusedDemo(dataDirectory);
  const trusted = await writeCertificate(dataDirectory);
  return await startProduct(dataDirectory, undefined, {
    environment: { NODE_EXTRA_CA_CERTS: trusted, SLUICE_DESIGN_PAGE: "1" },
  });
}

/**
 * The product trusts documents that a journey publishes over https on this machine (e2e/support/local-servers.ts).
 * @returns where the certificate is
 */
async function writeCertificate(dataDirectory: string): Promise<string> {
  const { key, cert } = makeCertificate("localhost");
  const path = join(dataDirectory, CERTIFICATE_FILE);
  await writeFile(join(dataDirectory, KEY_FILE), key, { mode: 0o600 });
  await writeFile(path, cert);
  return path;
}
