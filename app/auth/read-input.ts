import type { z } from "zod";

import { parseInput } from "@/lib/core/shared/parse-input";

/**
 * Parses a server action's input. Any session can send anything, so bad input is not a server error.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  return parseInput(schema, plainInput(input), UNREADABLE);
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

/** The form's fields. A direct call may send something else in its place; that has no fields. */
export function formOf(given: unknown): FormData {
  return given instanceof FormData ? given : new FormData();
}
