import type { z } from "zod";
import type { ErrorDetail } from "@/lib/contract/error";
import { schemaWords } from "@/lib/contract/input/schema-words";
import { MAXIMUM_PROBLEMS, toProblems } from "@/lib/core/shared/parse-input";

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
  return "data" in parsed ? parsed : { problems: toProblems(parsed.issues) };
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
): { data: z.output<Schema> } | { issues: readonly Issue[] } {
  let input = raw;
  for (let round = 0; ; round++) {
    const parsed = schema.safeParse(input, { reportInput: true, error: schemaWords });
    if (parsed.success) return { data: parsed.data };
    const { issues } = parsed.error;
    const others = issues.filter(
      (issue) => issue.code !== "invalid_union" && valueAt(input, issue.path) !== null,
    );
    if (others.length > enough) return { issues: others };
    const nulls = round < MAXIMUM_ROUNDS ? nullPaths(input, issues, []) : [];
    if (nulls.length === 0) return { issues };
    // Parsing ends at the first mismatch of a union, so each round finds what the last one uncovered.
    input = without(input, nulls);
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

/** The value at a path, own fields only; undefined if there is none. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/**
 * A copy without the fields at these paths; entries of lists keep their places, so theirs stay. One copy for all of them:
 * a copy for each would make thousands of nulls quadratic work.
 */
function without(input: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const inner = new Map<PropertyKey, (readonly PropertyKey[])[]>();
  for (const [name, ...rest] of paths) {
    if (name === undefined) continue;
    const known = inner.get(name);
    if (known) known.push(rest);
    else inner.set(name, [rest]);
  }
  const innerOf = (name: PropertyKey) => (inner.get(name) ?? []).filter((rest) => rest.length > 0);
  if (Array.isArray(input)) {
    return input.map((item: unknown, index) => (inner.has(index) ? without(item, innerOf(index)) : item));
  }
  if (typeof input !== "object" || input === null) return input;
  // Built from entries: assignment would drop a field named __proto__ instead of refusing it.
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, value]: [string, unknown]) => {
      const deeper = inner.get(field);
      if (!deeper) return [[field, value]];
      return deeper.some((rest) => rest.length === 0) ? [] : [[field, without(value, innerOf(field))]];
    }),
  );
}
