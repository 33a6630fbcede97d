import type { z } from "zod";
import type { ErrorDetail } from "@/lib/contract/error";

type Issue = z.core.$ZodIssue;

/** One problem per field and cause, in words that name what would be right. */
export function toProblems(issues: readonly Issue[]): ErrorDetail[] {
  const problems = issues.map((issue) => ({ issue, told: problemsOf(issue, []) }));
  const ofWrongType = new Set(
    problems.flatMap(({ issue }) => (issue.code === "invalid_type" ? [toField(issue.path)] : [])),
  );
  // The length of a text that should have been a list says nothing.
  return problems.flatMap(({ issue, told }) =>
    issue.code === "too_big" && ofWrongType.has(toField(issue.path)) ? [] : told,
  );
}

function problemsOf(issue: Issue, container: readonly PropertyKey[]): ErrorDetail[] {
  const path = [...container, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    // A schema that knows what is often meant instead says so of one key alone.
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

/** How zod tells of a field that is not there: by its type, or by the values that it may have. */
const MISSING_CODES: readonly string[] = ["invalid_type", "invalid_value"];

/** The choice as a list; a schema that has words of its own for it keeps them. */
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

/** Of a value of the wrong type, what it must be, and what programs often do wrong; else what the schema says. */
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

/** "Invalid input: expected string, received undefined" says one thing twice and another in the words of JavaScript. */
function missingWords(message: string): string {
  const kind = /^Invalid input: expected (\w+), received undefined$/.exec(message)?.[1];
  return kind === undefined ? message : `a value of type ${kind}`;
}

/**
 * What a value lacks to be one of several shapes: told of the shape that it comes closest to, for "none of these" helps
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
  // A schema that has words of its own for what it wants is asked for them where not even the outline of a shape is there.
  const hasOutline = shapes.some((problems) => !problems.some((problem) => lacksOutline(problem, path)));
  if (issue.message !== "Invalid input" && !hasOutline)
    return [{ field: toField(path), message: issue.message }];
  return shapes.reduce((closest, shape) => (distance(shape) < distance(closest) ? shape : closest));
}

function lacksOutline({ field, message }: ErrorDetail, path: readonly PropertyKey[]): boolean {
  if (field === toField(path)) return true;
  return message.startsWith("is required") && field.split(".").length === path.length + 1;
}

/** Fewer problems are closer; of as many, those that lie deeper: the shape around them was right. */
function distance(problems: readonly ErrorDetail[]): number {
  const depth = Math.max(...problems.map(({ field }) => field.split(".").length));
  return problems.length - depth / 1_000;
}

function toField(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
