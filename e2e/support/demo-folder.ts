import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "@playwright/test";
import { type Product, type StartOptions, startProduct } from "@/e2e/support/product";

/** The variable with the data folder of the demo that most journeys share. */
export const DEMO_FOLDER = "E2E_DATA_DIR";
/** The same for the second demo. */
export const SECOND_DEMO_FOLDER = "E2E_SECOND_DATA_DIR";

/** The data folder of this journey's demo: its project says which (playwright.config.ts). */
export function demoFolder(): string {
  const variable = test.info().project.metadata.demo === "second" ? SECOND_DEMO_FOLDER : DEMO_FOLDER;
  const folder = process.env[variable];
  if (!folder) throw new Error(`${variable} is not set: the global setup has not run`);
  return folder;
}

/** The variable with the data folder of an unused demo. */
const UNUSED_DEMO = "E2E_UNUSED_DEMO";

/**
 * Lets the product create the demo once and stops it: playing its twelve months is most of a first start, so every
 * unused demo is a copy of this one.
 */
export async function makeUnusedDemo(dataDirectory: string): Promise<void> {
  const product = await startProduct(dataDirectory);
  await product.stop();
  for (const stated of ["Made the demo organization", "Sign in as its owner"]) {
    if (!product.printed().includes(stated))
      throw new Error(`A first start did not say "${stated}":\n${product.printed()}`);
  }
  process.env[UNUSED_DEMO] = dataDirectory;
}

/** @param dataDirectory is created */
export async function copyUnusedDemo(dataDirectory: string): Promise<void> {
  const unused = process.env[UNUSED_DEMO];
  if (!unused) throw new Error(`${UNUSED_DEMO} is not set: the global setup has not run`);
  // With its owners, unlike Node's own copy: PostgreSQL opens no folder of another account.
  await promisify(execFile)("cp", ["-RPp", unused, dataDirectory]);
}

/** A product with its own unused demo. */
export interface OwnProduct extends Product {
  /** Stops it and removes its folder. */
  close: () => Promise<void>;
}

/**
 * For journeys that would change what the others rely on in the shared demo.
 * @param name of its folder
 */
export async function startOwnProduct(name: string, options?: StartOptions): Promise<OwnProduct> {
  const folder = await mkdtemp(join(tmpdir(), `sluice-${name}-`));
  const dataDirectory = join(folder, "data");
  await copyUnusedDemo(dataDirectory);
  const product = await startProduct(dataDirectory, undefined, options);
  const close = async () => {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...product, close };
}
