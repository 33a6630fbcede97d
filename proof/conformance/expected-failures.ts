import { readFile } from "node:fs/promises";

/** A check that fails against Sluice by what Sluice is, and why. */
export interface ExpectedFailure {
  scenario: string;
  /** Null: every check of the scenario. */
  checkId: string | null;
  reason: string;
  /** What the suite must have found, lest another fault hides behind this one. Null: whatever it found. */
  evidence: string | null;
}

const SECTION = "server:";
const LINE = /^ {2}- ([a-z0-9-]+)(?::([a-z0-9-]+))? +# (.+)$/;
const EVIDENCE = /«(.+)»/;

/**
 * Reads the suite's own file of expected failures, which is stricter here than the suite asks for: every line says why.
 * @throws Error that names a line without a reason, or that is none
 */
export async function readExpectedFailures(path: string): Promise<ExpectedFailure[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines
    .filter((line) => line !== "" && line !== SECTION && !/^ *#/.test(line))
    .map((line) => {
      const [, scenario, checkId = null, reason] = LINE.exec(line) ?? [];
      if (!scenario || !reason) throw new Error(`An expected failure has a scenario and a reason: ${line}`);
      const evidence = EVIDENCE.exec(reason)?.[1] ?? null;
      if (checkId !== null && evidence === null)
        throw new Error(`A check fails with something in «»: ${line}`);
      return { scenario, checkId, reason, evidence };
    });
}
