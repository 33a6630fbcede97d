import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** What is wrong with JSON that was typed. */
export interface JsonProblem {
  /** The field's path, e.g. `steps.0.actions.1.percentage`; null where it is the text as a whole. */
  field: string | null;
  /** What it must be. */
  message: string;
}

export type ParsedRule =
  | { kind: "RULE"; definition: RuleDefinition }
  | { kind: "PROBLEMS"; problems: JsonProblem[] };

/** More are not read; the first ones are mended first. */
const MAXIMUM_PROBLEMS = 12;

/** Reads a rule as a programmer writes it: the body of `POST /rules` and `PUT /rules/{id}`. */
export function parseRuleJson(text: string): ParsedRule {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "PROBLEMS", problems: [{ field: null, message: syntaxMessage(text, error) }] };
  }
  const parsed = ruleDefinitionSchema.safeParse(value);
  if (parsed.success) return { kind: "RULE", definition: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => flatten(issue, [])).slice(0, MAXIMUM_PROBLEMS);
  return { kind: "PROBLEMS", problems };
}

/** The JSON of a rule, laid out. */
export function layOutJson(candidate: unknown): string {
  return JSON.stringify(candidate, null, 2);
}

/** Engines name the place as a position, if at all; a person looks for a line. */
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

/** Of a choice between shapes, the one that fits best tells what is wrong; its nesting is that of the schema. */
function flatten(issue: Issue, above: PropertyKey[]): JsonProblem[] {
  const path = [...above, ...issue.path];
  const best = issue.code === "invalid_union" ? closest(issue.errors ?? []) : undefined;
  if (best) return best.flatMap((inner) => flatten(inner, path));
  const field = path.length > 0 ? path.join(".") : null;
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((name) => ({
      field: [...path, name].join("."),
      message: "is not a field here",
    }));
  }
  return [{ field, message: lowerFirst(issue.message) }];
}

/** A shape whose only faults lie deep inside is nearer than one whose very fields are unknown. */
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
