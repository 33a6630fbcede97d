import type { z } from "zod";
import type { ErrorDetail } from "@/lib/contract/error";

type Issue = z.core.$ZodIssue;

/** One problem per field and cause, in words that name what would be right. */
export function toProblems(issues: readonly Issue[]): ErrorDetail[] {
  return issues.flatMap((issue) => problemsOf(issue, []));
}

function problemsOf(issue: Issue, container: readonly PropertyKey[]): ErrorDetail[] {
  const path = [...container, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: toField([...path, key]),
      message: "is not a field of this operation",
    }));
  }
  if (issue.code === "invalid_union") return [...unionProblems(issue, path)];
  const said = issue.code === "invalid_value" ? choiceWords(issue) : issue.message;
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
  return shapes.reduce((closest, shape) => (distance(shape) < distance(closest) ? shape : closest));
}

/** Fewer problems are closer; of as many, those that lie deeper: the shape around them was right. */
function distance(problems: readonly ErrorDetail[]): number {
  const depth = Math.max(...problems.map(({ field }) => field.split(".").length));
  return problems.length - depth / 1_000;
}

function toField(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
