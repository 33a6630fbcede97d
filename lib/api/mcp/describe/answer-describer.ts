import type { z } from "zod";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/**
 * Tells what an operation answered. `appUrl` is where the dashboard is, without a slash at its end; `names` are those of
 * accounts that the answer names by their ids. Null: it is not of the shape that the describer knows.
 */
export type Describer = (data: unknown, appUrl: string, names: AccountNames) => string | null;

/** A describer of answers of one schema. */
export function describer<Schema extends z.ZodType>(
  schema: Schema,
  describe: (answer: z.output<Schema>, appUrl: string, names: AccountNames) => string,
): Describer {
  return (data, appUrl, names) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? describe(parsed.data, appUrl, names) : null;
  };
}
