import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "../../scripts/browser.mjs";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run pictures`: docs/pictures, every page of the demo beside its design. */
const say = (line) => process.stdout.write(`${line}\n`);
try {
  const browser = findBrowser(say);
  await buildIfNeeded(say);
  await bundle({ pictures: "proof/pictures/take-pictures.ts" });
  const { takePictures } = await import(pathToFileURL(join(root, ".build", "pictures.mjs")).href);
  await takePictures(root, browser, say);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
