import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "./browser.mjs";
import { buildIfNeeded, root } from "./build.mjs";

/**
 * The whole gate: types, lint, unit and integration tests on a real PostgreSQL, end-to-end tests in a real browser,
 * the conformance suite of MCP. Ends with «N passed, N failed». `--proof`: the same at the sizes that the promises name.
 */
const say = (line) => process.stdout.write(`${line}\n`);
const bin = (name, ...path) => join(root, "node_modules", name, ...path);
const isProof = process.argv.includes("--proof");
const environment = {
  ...process.env,
  SLUICE_PROOF: isProof ? "full" : "reduced",
  NEXT_TELEMETRY_DISABLED: "1",
};

let passed = 0;
let failed = 0;
const reports = await mkdtemp(join(tmpdir(), "sluice-reports-"));
try {
  await step("types", () =>
    allOf([
      [bin("next", "dist", "bin", "next"), "typegen"],
      [bin("typescript", "bin", "tsc"), "--noEmit"],
    ]),
  );
  await step("lint", () =>
    allOf([[bin("@biomejs", "biome", "bin", "biome"), "check", "--error-on-warnings", "."]]),
  );
  await vitest();
  await step("build", () => buildIfNeeded(say));
  await playwright();
  await step("conformance with MCP", () => allOf([[join(root, "tools", "conformance", "run.mjs")]]));
  if (isProof) {
    await step("Lighthouse", () => allOf([[join(root, "tools", "lighthouse", "run.mjs")]]));
    await step("pages of a big organization", () => allOf([[join(root, "bench", "run-pages.mjs")]]));
  }
} finally {
  await rm(reports, { recursive: true, force: true });
}
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** One check that passes or fails as a whole. */
async function step(name, run) {
  say(`\n— ${name}`);
  try {
    await run();
    passed += 1;
  } catch (error) {
    failed += 1;
    say(`${name} failed: ${error.message}`);
  }
}

async function allOf(commands) {
  for (const command of commands) {
    const code = await node(command, environment);
    if (code !== 0) throw new Error(`${command.slice(1).join(" ")} ended with ${code}`);
  }
}

async function vitest() {
  say("\n— unit and integration");
  const report = join(reports, "vitest.json");
  const code = await node(
    [
      bin("vitest", "vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    environment,
  );
  const result = await readReport(report);
  count(result?.numPassedTests ?? 0, result?.numFailedTests ?? 0, code);
}

async function playwright() {
  say("\n— end to end");
  const report = join(reports, "playwright.json");
  const browser = findBrowser(say);
  const code = await node([bin("@playwright", "test", "cli.js"), "test"], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    ...(browser && { SLUICE_TEST_BROWSER: browser }),
  });
  const result = await readReport(report);
  // Flaky: failed first, passed then. It counts as failed, so that its cause is mended the day it is seen.
  count(result?.stats.expected ?? 0, (result?.stats.unexpected ?? 0) + (result?.stats.flaky ?? 0), code);
}

/** A runner that ends badly without a failed test (a file that does not load, a crash) is a failure of its own. */
function count(passedTests, failedTests, code) {
  passed += passedTests;
  failed += failedTests > 0 || code === 0 ? failedTests : 1;
}

async function readReport(path) {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    // The runner died before it could write; its exit code counts.
    return null;
  }
}

function node(command, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
