import type { z } from "zod";

/**
 * Tells what an operation answered. `appUrl` is where the dashboard is, without a slash at its end; null: it is not of the shape that the teller
 * knows.
 */
export type Teller = (data: unknown, appUrl: string) => string | null;

/** A teller of answers of one schema. */
export function teller<Schema extends z.ZodType>(
  schema: Schema,
  tell: (answer: z.output<Schema>, appUrl: string) => string,
): Teller {
  return (data, appUrl) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? tell(parsed.data, appUrl) : null;
  };
}
