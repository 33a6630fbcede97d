import type { z } from "zod";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { NO_SHAPE, schemaWords, UNKNOWN_FIELD } from "@/lib/contract/input/schema-words";
import { valueAt, withValueAt } from "@/lib/core/shared/input-paths";

type Issue = z.core.$ZodIssue;

/**
 * Parses what a form, a file or a program gave.
 * @param otherwise the message, for a caller that shows no field
 * @throws AppError `INVALID_PARAMETERS`: the first problem as a sentence, and all of them in its details
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  otherwise?: string,
): z.output<Schema> {
  const checked = checkInput(schema, input);
  if ("data" in checked) return checked.data;
  throw new AppError("INVALID_PARAMETERS", otherwise ?? toSentence(checked.problems[0]), checked.problems);
}

/**
 * The same for a caller that answers invalid input in its own way.
 * @returns the parsed value, or one problem per field and cause, in words that name what would be right
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { data: z.output<Schema> } | { problems: ErrorDetail[] } {
  const parsed = schema.safeParse(input, { reportInput: true, error: schemaWords });
  return parsed.success
    ? { data: parsed.data }
    : { problems: allProblems(schema, input, parsed.error.issues) };
}

/** `hours must be at most 720.`; a message that is a sentence already stays as it is. */
function toSentence({ field, message }: ErrorDetail = { field: "", message: "cannot be read" }): string {
  return /^[a-z]/.test(message) ? `${field || "The input"} ${message}.` : message;
}

/** Problems that one answer lists. */
export const MAXIMUM_PROBLEMS = 100;

/**
 * The problems of an input that a schema refused with these issues, and those of fields together that other problems hid.
 * @returns at most one more than an answer lists
 */
export function allProblems(schema: z.ZodType, input: unknown, issues: readonly Issue[]): ErrorDetail[] {
  return toProblems([...issues, ...hiddenIssues(schema, input, issues)]);
}

/** No schema reads it, and refusing it ends no parsing. */
const UNREADABLE = Symbol("unreadable");

/**
 * Some problems, such as a fraction for an integer, make zod leave out every check over several fields (`onceReadable`),
 * so that the caller learns of the next problem only after fixing this one. Checks once more with what was refused
 * replaced by something that is merely unreadable.
 */
function hiddenIssues(schema: z.ZodType, input: unknown, issues: readonly Issue[]): Issue[] {
  if (issues.length > MAXIMUM_PROBLEMS) return [];
  const paths = issues
    .map(({ path }) => path)
    .filter((path) => path.length > 0 && valueAt(input, path) !== undefined);
  if (paths.length === 0) return [];
  const again = schema.safeParse(withValueAt(input, paths, UNREADABLE), {
    reportInput: true,
    error: schemaWords,
  });
  const known = new Set(issues.map(sayIssue));
  return (again.error?.issues ?? []).filter(
    (issue) => issue.code === "custom" && !known.has(sayIssue(issue)) && !isWithin(issue.path, paths),
  );
}

const sayIssue = ({ path, message }: Issue) => JSON.stringify([toField(path), message]);

const isWithin = (path: readonly PropertyKey[], others: readonly (readonly PropertyKey[])[]) =>
  others.some((other) => other.every((name, index) => path[index] === name));

/**
 * @param issues of a parse with `schemaWords` and `reportInput`
 * @returns at most one more than an answer lists
 */
export function toProblems(issues: readonly Issue[]): ErrorDetail[] {
  const ofWrongType = new Set(
    issues.flatMap((issue) => (issue.code === "invalid_type" ? [toField(issue.path)] : [])),
  );
  const problems: ErrorDetail[] = [];
  for (const issue of issues) {
    if (problems.length > MAXIMUM_PROBLEMS) break;
    // The length of a text given in place of a list says nothing.
    if (issue.code === "too_big" && ofWrongType.has(toField(issue.path))) continue;
    problems.push(...problemsOf(issue, []));
  }
  return problems.slice(0, MAXIMUM_PROBLEMS + 1);
}

function problemsOf(issue: Issue, container: readonly PropertyKey[]): ErrorDetail[] {
  const path = [...container, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    // Schemas that know a common mistake explain it for a single key only.
    const message = issue.keys.length === 1 ? issue.message : UNKNOWN_FIELD;
    return issue.keys
      .slice(0, MAXIMUM_PROBLEMS + 1)
      .map((key) => ({ field: toField([...path, key]), message }));
  }
  if (issue.code === "invalid_union") return [...unionProblems(issue, path)];
  const { message } = issue;
  const isMissing = MISSING_CODES.includes(issue.code) && issue.input === undefined;
  return [
    {
      field: toField(path),
      message: isMissing && !message.startsWith("is required") ? `is required: ${message}` : message,
    },
  ];
}

/** zod reports a missing field by its type, or by its allowed values. */
const MISSING_CODES: readonly string[] = ["invalid_type", "invalid_value"];

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
  if (issue.message !== NO_SHAPE && !hasOutline) return [{ field: toField(path), message: issue.message }];
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
