import type { Verdict } from "@/proof/conformance/judge";
import type { Outcome } from "@/proof/conformance/outcomes";

/** What one run of the suite came to. */
export interface Run {
  title: string;
  outcomes: Outcome[];
  verdicts: Verdict[];
}

const WORDS = { PASSED: "passed", FAILED: "FAILED", EXPECTED: "not ours", EMPTY: "nothing" } as const;
const WORD_WIDTH = 10;
const NAME_WIDTH = 46;
const BELOW = " ".repeat(WORD_WIDTH + 2);

/** A line for each scenario; what is wrong with it, or why it is not ours, below. */
export function describeRun({ title, verdicts }: Run): string {
  return [`\n${title}`, ...verdicts.map(describeVerdict)].join("\n");
}

/** @param unused lines of the expected failures that no run had a use for */
export function describeTotal(runs: readonly Run[], unused: readonly string[]): string {
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
