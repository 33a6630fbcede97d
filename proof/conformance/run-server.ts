import { join } from "node:path";
import type { ExpectedFailure } from "@/proof/conformance/expected-failures";
import { judge } from "@/proof/conformance/judge";
import { readOutcomes } from "@/proof/conformance/outcomes";
import type { Run } from "@/proof/conformance/report";
import type { Scene } from "@/proof/conformance/scene";
import { EXPECTED_FAILURES, runSuite } from "@/proof/conformance/suite";
import type { Undoing } from "@/proof/conformance/undoing";

/**
 * What a revision requires of a server.
 * @param revision one for which the suite has requirements; it also speaks as that revision does
 */
export async function runServer(
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
  // The suite judges what the revision requires by the same file. More is asked for here, never less.
  if (exitCode !== 0 && verdicts.every(({ kind }) => kind !== "FAILED")) {
    throw new Error(`The suite found a fault that its results do not show:\n${printed}`);
  }
  return { title: `Server, revision ${revision}`, outcomes, verdicts };
}
