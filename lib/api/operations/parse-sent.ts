import type { z } from "zod";
import type { ErrorDetail } from "@/lib/contract/error";
import { schemaWords } from "@/lib/contract/input/schema-words";
import { valueAt, withoutFields } from "@/lib/core/shared/input-paths";
import { allProblems, MAXIMUM_PROBLEMS } from "@/lib/core/shared/parse-input";

type Issue = z.core.$ZodIssue;

/** Fields inside fields, each with its own nulls: a rule nests steps, actions and schedules. */
const MAXIMUM_ROUNDS = 8;

/**
 * Checks what a program sent.
 * @returns the parsed value, or one problem per field and cause, in words that name what would be right
 */
export function parseSent<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
): { data: z.output<Schema> } | { problems: ErrorDetail[] } {
  const parsed = parseWithoutNulls(schema, sent, MAXIMUM_PROBLEMS);
  return "data" in parsed ? parsed : { problems: allProblems(schema, parsed.input, parsed.issues) };
}

/**
 * Parses what a program sent. Null in a field that does not take it counts as absent, since a strict function schema
 * cannot leave an optional field out. A required field is then reported as missing.
 * @param enough problems that decide the answer: with more of them, no null is looked at, since a body with thousands of
 *   problems would take several times as long for nothing
 */
function parseWithoutNulls<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  enough: number,
): { data: z.output<Schema> } | { input: unknown; issues: readonly Issue[] } {
  let input = raw;
  for (let round = 0; ; round++) {
    const parsed = schema.safeParse(input, { reportInput: true, error: schemaWords });
    if (parsed.success) return { data: parsed.data };
    const { issues } = parsed.error;
    const others = issues.filter(
      (issue) => issue.code !== "invalid_union" && valueAt(input, issue.path) !== null,
    );
    if (others.length > enough) return { input, issues: others };
    const nulls = round < MAXIMUM_ROUNDS ? nullPaths(input, issues, []) : [];
    if (nulls.length === 0) return { input, issues };
    // Parsing ends at the first mismatch of a union, so each round finds what the last one uncovered.
    input = withoutFields(input, nulls);
  }
}

/** The paths of issues at which there is null. */
function nullPaths(
  input: unknown,
  issues: readonly Issue[],
  container: readonly PropertyKey[],
): PropertyKey[][] {
  return issues.flatMap((issue) => {
    const path = [...container, ...issue.path];
    if (issue.code === "invalid_union")
      return issue.errors.flatMap((errors) => nullPaths(input, errors, path));
    return path.length > 0 && valueAt(input, path) === null ? [path] : [];
  });
}
