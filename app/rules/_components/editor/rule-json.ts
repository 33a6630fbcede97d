import { schemaWords } from "@/lib/contract/input/schema-words";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** A problem in the typed JSON. */
export interface JsonProblem {
  /** The field's path, e.g. `steps.0.actions.1.percentage`; null for the whole text. */
  field: string | null;
  /** The requirement, or what is wrong. */
  message: string;
}

export type ParsedRule =
  | { kind: "RULE"; definition: RuleDefinition }
  | { kind: "PROBLEMS"; problems: JsonProblem[] };

/** More are not shown: people fix the first ones first. */
const MAXIMUM_PROBLEMS = 12;

/** Parses a rule as JSON: the body of `POST /rules` and `PUT /rules/{id}`. */
export function parseRuleJson(text: string): ParsedRule {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "PROBLEMS", problems: [{ field: null, message: syntaxMessage(text, error) }] };
  }
  const parsed = ruleDefinitionSchema.safeParse(value, { error: schemaWords });
  if (parsed.success) return { kind: "RULE", definition: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => flatten(issue, [])).slice(0, MAXIMUM_PROBLEMS);
  return { kind: "PROBLEMS", problems };
}

/** The formatted JSON of a rule. */
export function layOutJson(candidate: unknown): string {
  return JSON.stringify(candidate, null, 2);
}

/** Engines report a character position, if any; people need line and column. */
function syntaxMessage(text: string, error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return text.trim() === "" ? "must be a rule, not empty" : "is not JSON yet";
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
