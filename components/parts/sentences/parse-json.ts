import type { z } from "zod";
import { schemaWords } from "@/lib/contract/input/schema-words";

/** A problem in the typed JSON. */
export interface JsonProblem {
  /** The field's path, e.g. `steps.0.actions.1.percentage`; null for the whole text. */
  field: string | null;
  /** The requirement, or what is wrong. */
  message: string;
}

export type ParsedJson<Value> =
  | { kind: "VALUE"; value: Value }
  | { kind: "PROBLEMS"; problems: JsonProblem[] };

/** More are not shown: people fix the first ones first. */
const MAXIMUM_PROBLEMS = 12;

/**
 * Parses what a person typed: a rule as in the body of `POST /rules`, or a policy.
 * @param what e.g. `rule`
 */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>, what: string): ParsedJson<Value> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { kind: "PROBLEMS", problems: [{ field: null, message: syntaxMessage(text, what, error) }] };
  }
  const parsed = schema.safeParse(json, { error: schemaWords });
  if (parsed.success) return { kind: "VALUE", value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => flatten(issue, [])).slice(0, MAXIMUM_PROBLEMS);
  return { kind: "PROBLEMS", problems };
}

/** As it is laid out for reading. */
export function layOutJson(candidate: unknown): string {
  return JSON.stringify(candidate, null, 2);
}

/** Engines report a character position, if any; people need line and column. */
function syntaxMessage(text: string, what: string, error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return text.trim() === "" ? `must be a ${what}, not empty` : "is not JSON yet";
  const before = text.slice(0, Number(position)).split("\n");
  return `is not JSON at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

interface Issue {
  code?: string | undefined;
  path: PropertyKey[];
  message: string;
  errors?: Issue[][];
  keys?: string[];
}

/** For a union, reports the problems of the best-fitting shape. Its depth is bounded by the schema. */
function flatten(issue: Issue, above: PropertyKey[]): JsonProblem[] {
  const path = [...above, ...issue.path];
  const best = issue.code === "invalid_union" ? closest(issue.errors ?? []) : undefined;
  if (best) return best.flatMap((inner) => flatten(inner, path));
  const field = path.length > 0 ? path.join(".") : null;
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((name) => ({
      field: [...path, name].join("."),
      message: "is not a known field",
    }));
  }
  return [{ field, message: lowerFirst(issue.message) }];
}

/** A shape with only deep problems fits better than one with unknown fields. */
function closest(branches: Issue[][]): Issue[] | undefined {
  const score = (issues: Issue[]) =>
    issues.reduce(
      (sum, issue) => sum + (issue.code === "unrecognized_keys" ? 10 : issue.path.length > 1 ? 1 : 4),
      0,
    );
  return branches
    .filter((issues) => issues.length > 0)
    .reduce<Issue[] | undefined>(
      (best, issues) => (best === undefined || score(issues) < score(best) ? issues : best),
      undefined,
    );
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
