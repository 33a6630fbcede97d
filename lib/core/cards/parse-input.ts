import type { z } from "zod";
import { AppError } from "@/lib/contract/error";

/** What a member filled in, checked. @throws AppError `INVALID_PARAMETERS` with each problem in its details. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  const first = details[0];
  throw new AppError("INVALID_PARAMETERS", `${first?.field ?? ""} ${first?.message ?? ""}.`.trim(), details);
}
