import type { z } from "zod";
import type { ErrorDetail } from "@/lib/contract/error";

type Issue = z.core.$ZodIssue;

/** One problem per field and cause, in words that name what would be right. */
export function toProblems(issues: readonly Issue[]): ErrorDetail[] {
  const problems = issues.map((issue) => ({ issue, told: problemsOf(issue, []) }));
  const ofWrongType = new Set(
    problems.flatMap(({ issue }) => (issue.code === "invalid_type" ? [toField(issue.path)] : [])),
  );
  // The length of a text given in place of a list says nothing.
  return problems.flatMap(({ issue, told }) =>
    issue.code === "too_big" && ofWrongType.has(toField(issue.path)) ? [] : told,
  );
}

function problemsOf(issue: Issue, container: readonly PropertyKey[]): ErrorDetail[] {
  const path = [...container, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    // Schemas that know a common mistake explain it for a single key only.
    const isTold = issue.keys.length === 1 && !issue.message.startsWith("Unrecognized key");
    const message = isTold ? issue.message : "is not a field of this operation";
    return issue.keys.map((key) => ({ field: toField([...path, key]), message }));
  }
  if (issue.code === "invalid_union") return [...unionProblems(issue, path)];
  const said = issue.code === "invalid_value" ? choiceWords(issue) : typeWords(issue);
  const isMissing = MISSING_CODES.includes(issue.code) && issue.input === undefined;
  const message = isMissing && !said.startsWith("is required") ? `is required: ${missingWords(said)}` : said;
  return [{ field: toField(path), message }];
}

/** zod reports a missing field by its type, or by its allowed values. */
const MISSING_CODES: readonly string[] = ["invalid_type", "invalid_value"];

/** The choice as a list, unless the schema has its own wording. */
function choiceWords({ message, values }: Extract<Issue, { code: "invalid_value" }>): string {
  if (!/^Invalid (option|input): expected/.test(message)) return message;
  return values.length === 1 ? `must be ${values.join()}` : `must be one of ${values.map(String).join(", ")}`;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
};

/**
 * For a value of the wrong type: what it must be, and what programs often send instead. Otherwise the schema's
 * message.
 */
function typeWords(issue: Issue): string {
  const { message, input } = issue;
  const isOwn = issue.code !== "invalid_type" || !message.startsWith("Invalid input: expected");
  if (isOwn || input === undefined) return message;
  const wanted = KIND_WORDS[issue.expected] ?? `of type ${issue.expected}`;
  if (typeof input === "string" && (issue.expected === "array" || issue.expected === "object")) {
    return `must be ${wanted}: give JSON, not a string`;
  }
  if (typeof input === "string" && (issue.expected === "number" || issue.expected === "int")) {
    return `must be ${wanted}, not a string`;
  }
  if (Array.isArray(input)) return `must be ${wanted}, not a list`;
  return `must be ${wanted}`;
}

/** zod's "Invalid input: expected string, received undefined" repeats itself in JavaScript's terms. */
function missingWords(message: string): string {
  const kind = /^Invalid input: expected (\w+), received undefined$/.exec(message)?.[1];
  return kind === undefined ? message : `a value of type ${kind}`;
}

/**
 * Problems of a value that matches none of several shapes, for the shape it comes closest to: "none of these" helps
 * nobody. The schemas bound how deep unions nest, and how many shapes each has.
 */
function unionProblems(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: readonly PropertyKey[],
): readonly ErrorDetail[] {
  if (issue.errors.length === 0) {
    const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
    return [{ field: toField(path), message: `must be one of ${options.join(", ")}` }];
  }
  const shapes = issue.errors.map((errors) => errors.flatMap((error) => problemsOf(error, path)));
  // When not even the outline of a shape matches, the schema's own wording wins.
  const hasOutline = shapes.some((problems) => !problems.some((problem) => lacksOutline(problem, path)));
  if (issue.message !== "Invalid input" && !hasOutline)
    return [{ field: toField(path), message: issue.message }];
  return shapes.reduce((closest, shape) => (distance(shape) < distance(closest) ? shape : closest));
}

function lacksOutline({ field, message }: ErrorDetail, path: readonly PropertyKey[]): boolean {
  if (field === toField(path)) return true;
  return message.startsWith("is required") && field.split(".").length === path.length + 1;
}

/** Fewer problems are closer; among as many, deeper ones: the shape around them was right. */
function distance(problems: readonly ErrorDetail[]): number {
  const depth = Math.max(...problems.map(({ field }) => field.split(".").length));
  return problems.length - depth / 1_000;
}

function toField(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
