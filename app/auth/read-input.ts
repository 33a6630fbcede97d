import type { z } from "zod";
import { AppError } from "@/lib/contract/error";

/**
 * Parses a server action's input. Any session can send anything, so bad input is not a server error.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError(
    "INVALID_PARAMETERS",
    "Sluice cannot read this request. Reload the page. Nothing was changed.",
  );
}

export function textOf(form: unknown, name: string): string {
  const value = formOf(form).get(name);
  return typeof value === "string" ? value : "";
}

/** The form's fields. A direct call may send something else in its place; that has no fields. */
export function formOf(given: unknown): FormData {
  return given instanceof FormData ? given : new FormData();
}
