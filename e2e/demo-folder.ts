import { test } from "@playwright/test";

/** Names the data folder of the demo that most journeys share. */
export const DEMO_FOLDER = "E2E_DATA_DIR";
/** Names that of a second one. */
export const SECOND_DEMO_FOLDER = "E2E_SECOND_DATA_DIR";

/** Of the product with the demo that this journey uses: its project says which (playwright.config.ts). */
export function demoFolder(): string {
  const variable = test.info().project.metadata.demo === "second" ? SECOND_DEMO_FOLDER : DEMO_FOLDER;
  const folder = process.env[variable];
  if (!folder) throw new Error(`${variable} is not set: the global setup has not run`);
  return folder;
}
