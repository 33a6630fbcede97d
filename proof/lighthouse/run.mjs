import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "../../scripts/browser.mjs";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run lighthouse`: Lighthouse with its phone profile, against the product as `npm start` starts it. */
const say = (line) => process.stdout.write(`${line}\n`);
try {
  const browser = findBrowser(say);
  await buildIfNeeded(say);
  await bundle({ lighthouse: "proof/lighthouse/measure.ts" });
  const { measurePages } = await import(pathToFileURL(join(root, ".build", "lighthouse.mjs")).href);
  process.exitCode = (await measurePages(root, browser, say)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
