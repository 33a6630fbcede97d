import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findBrowser, findShell } from "./browser.mjs";
import { root } from "./build.mjs";
import { makeMemoryFolder } from "./memory-folder.mjs";

/**
 * `npm test` is the gate. `--wide` (`npm run test:all`) runs what the gate leaves out, so that both together run every
 * test once. `--release` checks a release and the other Nodes; `--proof` runs everything at the sizes that the promises
 * name. Each ends with `N passed, N failed`.
 */
const say = (line) => process.stdout.write(`${line}\n`);
const bin = (name, ...path) => join(root, "node_modules", name, ...path);
const playwrightCli = bin("@playwright", "test", "cli.js");
const mode = ["wide", "release", "proof"].find((name) => process.argv.includes(`--${name}`)) ?? "gate";
const isProof = mode === "proof";
/** By default four threads check, each of which reads again what all share: a fourth more CPU. Lint has the other core. */
const ONE_CHECKER = "--singleThreaded";
/** Besides the oldest, on which everything else runs. */
const OTHER_NODES = [22, 24];
/** A program proposes, a member signs in and approves, the money moves. */
const JOURNEY = ["e2e/demo/proposal-to-money.spec.ts", "--project=demo", "-g", "the link asks for sign-in"];
/** Which tests of each runner; a proof runs all of them, and `@alone` (a time that is promised) without other load. */
const SELECTIONS = {
  gate: { vitest: ["--project=!wide*"], playwright: ["--grep=@gate"] },
  wide: { vitest: ["--project=wide*"], playwright: ["--grep-invert=@gate|@alone"] },
  proof: { vitest: [], playwright: ["--grep-invert=@alone"] },
};
const selected = SELECTIONS[mode];
/** Databases of the proof fill a disk. */
const memoryFolder = mode === "gate" || mode === "wide" ? await makeMemoryFolder() : null;
const environment = {
  ...process.env,
  ...(memoryFolder && { TMPDIR: memoryFolder }),
  SLUICE_PROOF: isProof ? "full" : "reduced",
  NEXT_TELEMETRY_DISABLED: "1",
};

let passed = 0;
let failed = 0;
/** Repeated by name at the end, where a reader of a long log looks first. */
const failures = [];
const reports = await mkdtemp(join(tmpdir(), "sluice-reports-"));
try {
  if (mode === "gate" || isProof) {
    await together({
      types: [
        [bin("next", "dist", "bin", "next"), "typegen"],
        [bin("typescript", "bin", "tsc"), "--noEmit", ONE_CHECKER],
      ],
      lint: [[bin("@biomejs", "biome", "bin", "biome"), "check", "--error-on-warnings", "."]],
      "nothing unused": [[bin("knip", "bin", "knip.js"), "--no-progress"]],
      "dependency audit": [[join(root, "proof", "audit", "run.mjs")]],
    });
  }
  if (selected) {
    // The tests leave a part of the cores idle, most of all at their start and end.
    const built = captureAllOf([[join(root, "scripts", "build-image.mjs")]]);
    await vitest();
    await announce("build", built);
    await playwright("end to end", selected.playwright);
    if (isProof) await playwright("end to end, alone", ["--grep=@alone"]);
  }
  if (mode === "wide" || isProof) {
    await step("fuzz", () =>
      allOf([[join(root, "proof", "fuzz", "run.mjs"), "--requests", isProof ? "100000" : "500"]]),
    );
    await step("MCP conformance", () => allOf([[join(root, "proof", "conformance", "run.mjs")]]));
  }
  if (mode === "release") {
    await step("release", () => allOf([[join(root, "scripts", "release.mjs"), "--check"]]));
    for (const major of OTHER_NODES) {
      await step(`Node ${major}: build, start, API, sign-in and a journey`, () => journeyOn(major));
    }
  }
  if (isProof) {
    await step("torture", () => allOf(tortureRuns()));
    await step("failover", () => allOf([[join(root, "proof", "failover", "run.mjs"), "--rounds", "4"]]));
    await step("Lighthouse", () => allOf([[join(root, "proof", "lighthouse", "run.mjs")]]));
    await step("pages of a big organization", () =>
      allOf([[join(root, "proof", "bench", "run.mjs"), "pages"]]),
    );
  }
} finally {
  await rm(reports, { recursive: true, force: true });
  if (memoryFolder) await rm(memoryFolder, { recursive: true, force: true, maxRetries: 5 });
}
await report();
process.exitCode = failed === 0 ? 0 : 1;

/** `.ci/run` adds up what its runs counted and names what failed in any of them at the very end of its log. */
async function report() {
  const named = failures.map((failure) => `failed: ${failure}\n`).join("");
  process.stdout.write(named);
  const { CI_TEST_COUNTS } = process.env;
  if (CI_TEST_COUNTS) await appendFile(CI_TEST_COUNTS, `${named}${passed} ${failed}\n`);
  else say(`${passed} passed, ${failed} failed`);
}

/**
 * Ten seeds, five more at the emulated Increase, and each mistake that is put in on purpose: the checker must find it. The gate has kills, deliveries and
 * arrivals of its own among the tests, and no time for these.
 */
function tortureRuns() {
  const torture = join(root, "proof", "torture", "run.mjs");
  const planted = [
    "missing-lock",
    "lost-job",
    "double-settlement",
    "mandate-twice",
    "changed-line",
    "second-key",
  ];
  // Time for all ten: by default no seed begins after ten minutes.
  return [
    [torture, "--seeds", "10", "--minutes", "40"],
    [torture, "--bank", "increase", "--seeds", "5", "--minutes", "30"],
    ...planted.map((fault) => [torture, "--fault", fault, "--seeds", "3"]),
  ];
}

/** One check that passes or fails as a whole. */
async function step(name, run) {
  say(`\n— ${name}`);
  try {
    await run();
    passed += 1;
  } catch (error) {
    failed += 1;
    failures.push(`${name}: ${error.message}`);
    say(`${name} failed: ${error.message}`);
  }
}

/**
 * Runs several at once, each of which passes or fails as a whole: alone each would leave a core idle. Their output is
 * printed one after the other.
 * @param {Record<string, string[][]>} checks commands by name
 */
async function together(checks) {
  const ended = Object.entries(checks).map(([name, commands]) => ({ name, output: captureAllOf(commands) }));
  for (const { name, output } of ended) await announce(name, output);
}

async function announce(name, output) {
  await step(name, async () => {
    const { text, problem } = await output;
    process.stdout.write(text);
    if (problem) throw new Error(problem);
  });
}

async function captureAllOf(commands) {
  const printed = [];
  for (const command of commands) {
    const code = await node(command, environment, printed);
    if (code !== 0)
      return { text: printed.join(""), problem: `${command.slice(1).join(" ")} ended with ${code}` };
  }
  return { text: printed.join(""), problem: null };
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
      ...selected.vitest,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    environment,
  );
  const result = await readReport(report);
  count("unit and integration", result?.numPassedTests ?? 0, failedTests(result), code);
}

/** A file that does not load has no tests, and fails as one. */
function failedTests(result) {
  return (result?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const named = assertionResults.filter((test) => test.status === "failed");
    if (status === "failed" && named.length === 0) return [`${relative(root, name)}: ${summary(message)}`];
    return named.map(
      (test) => `${relative(root, name)} › ${test.fullName}: ${summary(test.failureMessages[0])}`,
    );
  });
}

/** With the Node of a package of npm, which neither the machine nor the project keeps. */
async function journeyOn(major) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(reports, `node-${major}`);
  const install = ["install", "--prefix", folder, "--ignore-scripts", "--no-save", `${name}@${major}`];
  if ((await run("npm", install, environment)) !== 0) throw new Error(`npm has no ${name}@${major}`);
  const bin = join(folder, "node_modules", name, "bin");
  const ofNode = {
    ...environment,
    // What starts `node` by name gets the same.
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    ...findBrowsers(),
  };
  for (const command of [[join(root, "scripts", "build-image.mjs")], [playwrightCli, "test", ...JOURNEY]]) {
    const code = await run(join(bin, "node"), command, ofNode);
    if (code !== 0) throw new Error(`${command.slice(0, 2).join(" ")} ended with ${code}`);
  }
}

/** @param {string[]} selection which journeys */
async function playwright(name, selection) {
  say(`\n— ${name}`);
  const report = join(reports, "playwright.json");
  const code = await node([playwrightCli, "test", ...selection], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    ...findBrowsers(),
  });
  const result = await readReport(report);
  // Flaky: failed first, passed then. It counts as failed, so that its cause is fixed the day it appears.
  count(name, result?.stats.expected ?? 0, failedJourneys(result?.suites ?? []), code);
}

function findBrowsers() {
  const browser = findBrowser(say);
  const shell = findShell();
  return { ...(browser && { SLUICE_TEST_BROWSER: browser }), ...(shell && { SLUICE_TEST_SHELL: shell }) };
}

function failedJourneys(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap((spec) => spec.tests.map((test) => ({ spec, test }))).flatMap(nameIfFailed),
    ...failedJourneys(inner),
  ]);
}

function nameIfFailed({ spec, test }) {
  if (test.status !== "unexpected" && test.status !== "flaky") return [];
  const { error, attachments = [] } = test.results.find((result) => result.error) ?? {};
  const seen = pageWords(attachments.find(({ name }) => name === "error-context"));
  return [`${spec.file} › ${spec.title} (${test.status}): ${summary(error?.message)}${seen}`];
}

/** Headings, alerts and dialogs of the page that a journey failed on: CI keeps no pictures. */
function pageWords(context) {
  if (!context?.path || !existsSync(context.path)) return "";
  const lines = readFileSync(context.path, "utf8").match(/- (?:heading|alert|status|dialog)\b.*/g) ?? [];
  return lines.length > 0 ? ` The page: ${summary(lines.join(" "))}` : "";
}

/** On one line, with its end: what stopped a program comes last. */
function summary(text) {
  const words = stripVTControlCharacters(text ?? "no message")
    .trim()
    .split(/\s+/)
    .join(" ");
  return words.length <= 600 ? words : `${words.slice(0, 250)} … ${words.slice(-350)}`;
}

/** A runner that ends badly without a failed test (a file that does not load, a crash) is a failure of its own. */
function count(name, passedTests, failedNames, code) {
  const named = failedNames.length > 0 || code === 0 ? failedNames : [`${name}: ended with ${code}`];
  passed += passedTests;
  failed += named.length;
  failures.push(...named);
}

async function readReport(path) {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    // The runner died before it could write; its exit code counts.
    return null;
  }
}

/** @param {string[]} [printed] gets what it prints, which is shown at once otherwise */
function node(command, env, printed) {
  return run(process.execPath, command, env, printed);
}

function run(executable, parameters, env, printed) {
  return new Promise((resolve, reject) => {
    const output = printed ? "pipe" : "inherit";
    const child = spawn(executable, parameters, { cwd: root, env, stdio: ["ignore", output, output] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => printed?.push(text));
    }
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
