import type { ExpectedFailure } from "@/proof/conformance/expected-failures";
import type { Check, Outcome } from "@/proof/conformance/outcomes";

/** What became of one scenario. */
export interface Verdict {
  scenario: string;
  /**
   * `EXPECTED`: nothing of it applies to Sluice. `EMPTY`: the suite found nothing to check, which is no proof of
   * anything.
   */
  kind: "PASSED" | "FAILED" | "EXPECTED" | "EMPTY";
  /** Checks that succeeded. */
  succeeded: number;
  faults: string[];
  /** Lines of the list that were right. */
  excused: ExpectedFailure[];
}

/** Emitted beside every scenario: the messages are well-formed, whatever they say. */
const WIRE_SCHEMA = "wire-schema-valid";

/**
 * Judges a run. Warnings count as failures, as they do in the suite once failures are expected; an expected failure that
 * succeeds is a fault as well, so that the list stays true.
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

/** Lines of the list that name what is in no run: a scenario or check that is called otherwise by now, or is gone. */
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
  // What succeeds in a scenario that as a whole is none of ours is chance.
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
