import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "../../scripts/browser.mjs";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run test:mcp`: the official conformance suite of MCP against the product as `npm start` starts it. */
const say = (line) => process.stdout.write(`${line}\n`);
try {
  const browser = findBrowser(say);
  await buildIfNeeded(say);
  await bundle({ "test-mcp": "proof/conformance/test-mcp.ts" });
  const { testMcp } = await import(pathToFileURL(join(root, ".build", "test-mcp.mjs")).href);
  process.exitCode = (await testMcp(browser, say)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
