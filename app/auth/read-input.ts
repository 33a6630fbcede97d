import type { z } from "zod";
import { AppError } from "@/lib/contract/error";

/**
 * What a server action was called with. Whoever has a session can call it with anything: that is no fault of ours, and
 * not to be logged as one.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError(
    "INVALID_PARAMETERS",
    "This is not what the page sends. Load it again. Nothing was changed.",
  );
}

/** A text of a form; empty where the form has none of that name. */
export function textOf(form: unknown, name: string): string {
  const value = formOf(form).get(name);
  return typeof value === "string" ? value : "";
}

/**
 * The fields of a form that an action was called with. Whoever calls it by its name alone sends no form, or something
 * else in its place: that has no fields.
 */
export function formOf(given: unknown): FormData {
  return given instanceof FormData ? given : new FormData();
}
