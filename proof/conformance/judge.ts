import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The outcome of one scenario. */
export interface Verdict {
  scenario: string;
  /** `EXPECTED`: none of it applies to Sluice. `EMPTY`: the suite found nothing to check, which proves nothing. */
  kind: "PASSED" | "FAILED" | "EXPECTED" | "EMPTY";
  /** Checks that succeeded. */
  succeeded: number;
  faults: string[];
  /** Lines of the list that were right. */
  excused: ExpectedFailure[];
}

/** Emitted with every scenario: the messages are well-formed, whatever they say. */
const WIRE_SCHEMA = "wire-schema-valid";

/**
 * Judges a run. Warnings count as failures, as they do in the suite once failures are expected; an expected failure
 * that succeeds is an error too, so that the list stays accurate.
 */
export function judge(outcomes: readonly Outcome[], expected: readonly ExpectedFailure[]): Verdict[] {
  return outcomes.map(({ scenario, checks }) => {
    const mine = expected.filter((failure) => failure.scenario === scenario);
    const failed = checks.filter(isFailed);
    const unexpected = failed.filter((check) => !mine.some((failure) => excuses(failure, check)));
    const excused = mine.filter((failure) => failed.some((check) => excuses(failure, check)));
    const stale = mine.filter((failure) => !excused.includes(failure) && succeeds(failure, checks));
    const faults = [...unexpected.map(toFault), ...stale.map(toStale)];
    return {
      scenario,
      kind: kindOf(faults, excused, checks),
      succeeded: checks.filter(({ status }) => status === "SUCCESS").length,
      faults,
      excused,
    };
  });
}

/** Lines of the list that match nothing in any run: a scenario or check that was renamed or removed. */
export function unusedOf(expected: readonly ExpectedFailure[], outcomes: readonly Outcome[]): string[] {
  return expected
    .filter((failure) => !outcomes.some((outcome) => isIn(failure, outcome)))
    .map(({ scenario, checkId }) => (checkId === null ? scenario : `${scenario}:${checkId}`));
}

function isIn(failure: ExpectedFailure, { scenario, checks }: Outcome): boolean {
  return failure.scenario === scenario && checks.some((check) => isAbout(failure, check));
}

function kindOf(
  faults: readonly string[],
  excused: readonly ExpectedFailure[],
  checks: readonly Check[],
): Verdict["kind"] {
  if (faults.length > 0) return "FAILED";
  // A success within a scenario that does not apply is chance.
  if (excused.some(({ checkId }) => checkId === null)) return "EXPECTED";
  if (checks.some(({ id, status }) => status === "SUCCESS" && id !== WIRE_SCHEMA)) return "PASSED";
  return excused.length > 0 ? "EXPECTED" : "EMPTY";
}

function isFailed({ status }: Check): boolean {
  return status === "FAILURE" || status === "WARNING";
}

function isAbout({ checkId }: ExpectedFailure, { id }: Check): boolean {
  return checkId === null || checkId === id;
}

function excuses(failure: ExpectedFailure, check: Check): boolean {
  return isAbout(failure, check) && (failure.evidence === null || check.found.includes(failure.evidence));
}

function succeeds(failure: ExpectedFailure, checks: readonly Check[]): boolean {
  return checks.some((check) => check.status === "SUCCESS" && isAbout(failure, check));
}

function toFault({ id, message }: Check): string {
  return `${id}: ${message}`;
}

function toStale({ checkId }: ExpectedFailure): string {
  return `${checkId ?? "every check"} is expected to fail and does not: take it off the list`;
}

const checksSchema = z.array(
  z.looseObject({
    id: z.string(),
    status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
    description: z.string().optional(),
    errorMessage: z.string().optional(),
  }),
);

export interface Check {
  id: string;
  status: z.infer<typeof checksSchema>[number]["status"];
  /** A sentence; for a failure, the reason. */
  message: string;
  /** Everything that the suite recorded about it. */
  found: string;
}

/** What the suite found in one scenario. */
export interface Outcome {
  scenario: string;
  checks: Check[];
}

const RESULTS = "checks.json";
const FOLDER = /^(?:authorization-server|server)-(.+)-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;
const ANNOUNCED = /^=== Running scenario: (.+) ===$/gm;

/**
 * Reads what a run of the suite left in its folder, in the order of execution.
 * @param printed its output; a scenario that it announced and that left nothing behind crashed
 */
export async function readOutcomes(folder: string, printed: string): Promise<Outcome[]> {
  const found = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = FOLDER.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`The suite names its results in another way: ${name}`);
    found.set(scenario, await readChecks(join(folder, name, RESULTS)));
  }
  const announced = [...printed.matchAll(ANNOUNCED)].map(([, scenario = ""]) => scenario);
  if (announced.length === 0) throw new Error(`The suite ran nothing:\n${printed}`);
  return announced.map((scenario) => ({ scenario, checks: found.get(scenario) ?? [brokenDown(scenario)] }));
}

async function readChecks(path: string): Promise<Check[]> {
  const checks = checksSchema.parse(JSON.parse(await readFile(path, "utf8")));
  return checks.map((check) => ({
    id: check.id,
    status: check.status,
    message: check.errorMessage ?? check.description ?? "",
    found: JSON.stringify(check),
  }));
}

function brokenDown(scenario: string): Check {
  const message = "The scenario broke down.";
  return { id: scenario, status: "FAILURE", message, found: message };
}

/** A check that fails against Sluice by design, and why. */
export interface ExpectedFailure {
  scenario: string;
  /** Null: every check of the scenario. */
  checkId: string | null;
  reason: string;
  /** What the suite must have found, so that no other failure hides behind this one. Null: anything. */
  evidence: string | null;
}

const SECTION = "server:";
const LINE = /^ {2}- ([a-z0-9-]+)(?::([a-z0-9-]+))? +# (.+)$/;
const EVIDENCE = /«(.+)»/;

/**
 * Reads the suite's own file of expected failures, more strictly than the suite: every line needs a reason.
 * @throws Error naming a line that is malformed or lacks a reason
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
