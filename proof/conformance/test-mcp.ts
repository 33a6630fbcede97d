import { readExpectedFailures } from "@/proof/conformance/expected-failures";
import { unusedOf } from "@/proof/conformance/judge";
import { describeRun, describeTotal, type Run } from "@/proof/conformance/report";
import { runAuthorization } from "@/proof/conformance/run-authorization";
import { runServer } from "@/proof/conformance/run-server";
import { openScene } from "@/proof/conformance/scene";
import { EXPECTED_FAILURES, installSuite } from "@/proof/conformance/suite";
import { Undoing } from "@/proof/conformance/undoing";

/** Both on one address; the suite speaks each as that revision does. */
const REVISIONS = ["2025-11-25", "2026-07-28"];

/**
 * Runs the official conformance suite of MCP against the product as it is started, with its demo: both revisions of the
 * server, and the authorization server.
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
