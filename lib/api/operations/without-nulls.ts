import type { z } from "zod";
import { schemaWords } from "@/lib/contract/input/schema-words";

type Issue = z.core.$ZodIssue;

/** Fields inside fields, each with its own nulls: a rule nests steps, actions and schedules. */
const MAXIMUM_ROUNDS = 8;

/**
 * Parses what a program sent. Null in a field that does not take it counts as absent, since a strict function schema
 * cannot leave an optional field out. A required field is then reported as missing.
 */
export function parseWithoutNulls<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  let input = raw;
  let parsed = schema.safeParse(input, { reportInput: true, error: schemaWords });
  for (let round = 0; round < MAXIMUM_ROUNDS && !parsed.success; round++) {
    const nulls = nullPaths(input, parsed.error.issues, []);
    if (nulls.length === 0) break;
    // Parsing ends at the first mismatch of a union, so each round finds what the last one uncovered.
    input = nulls.reduce<unknown>(without, input);
    parsed = schema.safeParse(input, { reportInput: true, error: schemaWords });
  }
  return parsed;
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

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** A copy without the field; entries of lists keep their places, so theirs stay. */
function without(input: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(input)) {
    return input.map((item: unknown, index) =>
      index === name && rest.length > 0 ? without(item, rest) : item,
    );
  }
  if (typeof input !== "object" || input === null || name === undefined) return input;
  // Built from entries: assignment would drop a field named __proto__ instead of refusing it.
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, value]: [string, unknown]) => {
      if (field !== name) return [[field, value]];
      return rest.length === 0 ? [] : [[field, without(value, rest)]];
    }),
  );
}
