import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { parseInput } from "@/lib/core/shared/parse-input";

/**
 * Parses a server action's input. Any session can send anything, so bad input is not a server error.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  return parseInput(schema, plainInput(input), UNREADABLE);
}

/**
 * The input as it is, for a command that parses it itself.
 * @throws AppError `INVALID_PARAMETERS` where it cannot be read
 */
export function requirePlain<Input>(input: Input): Input {
  if (!isPlain(input)) throw new AppError("INVALID_PARAMETERS", UNREADABLE);
  return input;
}

export const UNREADABLE = "Sluice cannot read this request. Reload the page. Nothing was changed.";

/** Deeper than any input of ours. */
const MAX_DEPTH = 20;

/**
 * The input, or undefined if it refers to something of the browser: React decodes `$T` to a function that throws whenever
 * a schema reads a property of it, which would be logged as an error of the server.
 */
export function plainInput<Input>(input: Input): Input | undefined {
  return isPlain(input) ? input : undefined;
}

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === "function" || depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((one) => isPlain(one, depth + 1));
}

export function textOf(form: unknown, name: string): string {
  const value = formOf(form).get(name);
  return typeof value === "string" ? value : "";
}

/** The form's fields. A direct call may send something else in its place; that has no fields. */
export function formOf(given: unknown): FormData {
  return given instanceof FormData ? given : new FormData();
}
