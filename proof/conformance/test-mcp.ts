import { join } from "node:path";
import { chromium } from "@playwright/test";
import { z } from "zod";
import type { DemoDescription } from "@/lib/contract/demo";
import { findFreePort } from "@/lib/testing/product-process";
import {
  type ExpectedFailure,
  judge,
  type Outcome,
  readExpectedFailures,
  readOutcomes,
  unusedOf,
  type Verdict,
} from "@/proof/conformance/judge";
import { openScene, ownerOf, type Scene } from "@/proof/conformance/scene";
import { EXPECTED_FAILURES, installSuite, runSuite, Undoing } from "@/proof/conformance/suite";

/** Both at one address; the suite speaks each as that revision does. */
const REVISIONS = ["2025-11-25", "2026-07-28"];

/**
 * Runs the official MCP conformance suite against the product as started, with its demo: both revisions of the server,
 * and the authorization server.
 * @param browser path of an executable, or null: Playwright's own
 * @returns whether everything passed that applies to Sluice
 */
export async function testMcp(browser: string | null, say: (line: string) => void): Promise<boolean> {
  const expected = await readExpectedFailures(EXPECTED_FAILURES);
  await installSuite(say);
  const undoing = new Undoing();
  try {
    return await undoing.unlessInterrupted(async () => {
      say("Starting Sluice with its demo.");
      const scene = await openScene(undoing);
      const server: Run[] = [];
      for (const revision of REVISIONS) {
        const run = await runServer(scene, revision, expected, undoing);
        say(describeRun(run));
        server.push(run);
      }
      const authorization = await runAuthorization(scene, browser, undoing);
      say(describeRun(authorization));
      const runs = [...server, authorization];
      const unused = unusedOf(
        expected,
        server.flatMap(({ outcomes }) => outcomes),
      );
      say(describeTotal(runs, unused));
      return (
        unused.length === 0 && runs.every(({ verdicts }) => verdicts.every(({ kind }) => kind !== "FAILED"))
      );
    });
  } finally {
    await undoing.undo();
  }
}

/**
 * The requirements of a revision for a server.
 * @param revision one that the suite has requirements for; it also speaks as that revision does
 */
async function runServer(
  { mcpUrl, folder }: Scene,
  revision: string,
  expected: readonly ExpectedFailure[],
  undoing: Undoing,
): Promise<Run> {
  const results = join(folder, revision);
  const { exitCode, printed } = await runSuite(
    [
      "server",
      ...["--url", mcpUrl],
      ...["--requirements", revision],
      ...["--expected-failures", EXPECTED_FAILURES],
      ...["--output-dir", results],
    ],
    undoing,
  );
  const outcomes = await readOutcomes(results, printed);
  const verdicts = judge(outcomes, expected);
  // The suite applies the same file to the revision's requirements. This check is stricter, never weaker.
  if (exitCode !== 0 && verdicts.every(({ kind }) => kind !== "FAILED")) {
    throw new Error(`The suite found a fault that its results do not show:\n${printed}`);
  }
  return { title: `Server, revision ${revision}`, outcomes, verdicts };
}

/** The result of one run of the suite. */
interface Run {
  title: string;
  outcomes: Outcome[];
  verdicts: Verdict[];
}

const WORDS = { PASSED: "passed", FAILED: "FAILED", EXPECTED: "not ours", EMPTY: "nothing" } as const;
const WORD_WIDTH = 10;
const NAME_WIDTH = 46;
const BELOW = " ".repeat(WORD_WIDTH + 2);

/** A line per scenario; below it, what is wrong or why it does not apply. */
function describeRun({ title, verdicts }: Run): string {
  return [`\n${title}`, ...verdicts.map(describeVerdict)].join("\n");
}

/** @param unused lines of the expected failures that no run matched */
function describeTotal(runs: readonly Run[], unused: readonly string[]): string {
  const verdicts = runs.flatMap((run) => run.verdicts);
  const count = (kind: Verdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  const stale = unused.map(
    (name) => `  FAILED    ${name} is expected to fail, and is in no run: take it off the list`,
  );
  return [
    ...stale,
    `\n${count("EXPECTED")} scenarios ask for tools of the suite's own example server, or for what is optional and not declared; in ${count("EMPTY")} the suite found nothing to check.`,
    `${count("PASSED")} passed, ${count("FAILED") + unused.length} failed`,
  ].join("\n");
}

function describeVerdict({ scenario, kind, succeeded, faults, excused }: Verdict): string {
  const start = `  ${WORDS[kind].padEnd(WORD_WIDTH)}${scenario.padEnd(NAME_WIDTH)}`;
  if (kind === "EXPECTED") return `${start}${excused.map(({ reason }) => reason).join("; ")}`;
  if (kind === "EMPTY") return start.trimEnd();
  const below = [
    ...faults,
    ...excused.map(({ checkId, reason }) => `not ours: ${checkId ?? "the rest"}, which ${reason}`),
  ];
  return [`${start}${succeeded} checks`, ...below.map((text) => `${BELOW}${text}`)].join("\n");
}

/** The address that the suite asks to open in a browser. */
const AUTHORIZATION_REQUEST = /^(https?:\S+[?&]response_type=code\S*)\n/m;
const EMPTY = "The suite skipped it, so it proves nothing.";

const metadataSchema = z.object({ registration_endpoint: z.url() });
const clientSchema = z.object({ client_id: z.string() });

/**
 * The authorization server: its metadata, and a code redeemed after its owner consented in a browser.
 * @param browser path of an executable, or null: Playwright's own
 */
async function runAuthorization(scene: Scene, browser: string | null, undoing: Undoing): Promise<Run> {
  const results = join(scene.folder, "authorization");
  const port = await findFreePort();
  const clientId = await registerClient(scene.appUrl, `http://127.0.0.1:${port}/callback`);
  const { printed } = await runSuite(
    [
      "authorization",
      ...["--url", scene.appUrl],
      ...["--client-id", clientId],
      ...["--resource", scene.mcpUrl],
      ...["--port", String(port)],
      ...["--output-dir", results],
    ],
    undoing,
    { pattern: AUTHORIZATION_REQUEST, act: (address) => connectInBrowser(address, scene.demo, browser) },
  );
  const outcomes = await readOutcomes(results, printed);
  return { title: "Authorization server", outcomes, verdicts: judge(outcomes, []).map(requireProof) };
}

/** Registers as an unknown assistant does (RFC 7591). @returns its client id */
async function registerClient(issuer: string, redirectUri: string): Promise<string> {
  const { registration_endpoint } = metadataSchema.parse(
    await ask(`${issuer}/.well-known/oauth-authorization-server`),
  );
  const client = await ask(registration_endpoint, {
    client_name: "Conformance suite",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  });
  return clientSchema.parse(client).client_id;
}

async function ask(url: string, sent?: object): Promise<unknown> {
  const response = await fetch(url, {
    method: sent ? "POST" : "GET",
    ...(sent && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.json();
}

function requireProof(verdict: Verdict): Verdict {
  return verdict.kind === "EMPTY" ? { ...verdict, kind: "FAILED", faults: [EMPTY] } : verdict;
}

const STEP_TIMEOUT_MS = 30_000;
/** The suite's page when the browser returns to it. */
const DONE = "You can close this page.";

/**
 * Does what the suite expects a person to do: opens the authorization request, signs in as the demo's owner, and consents.
 * @param address the authorization request
 * @param browser path of an executable, or null: Playwright's own
 */
async function connectInBrowser(
  address: string,
  demo: DemoDescription,
  browser: string | null,
): Promise<void> {
  const launched = await chromium.launch({
    ...(browser && { executablePath: browser }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    const page = await launched.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    await page.goto(address);
    const { email, password } = ownerOf(demo);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await page.getByText(DONE).waitFor();
  } finally {
    await launched.close();
  }
}
