import type { z } from "zod";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/**
 * Describes the answer of an operation. `appUrl` is the dashboard's address, without a trailing slash; `names` are
 * those of accounts that the answer names by id. Null when the answer does not have the expected shape.
 */
export type Describer = (data: unknown, appUrl: string, names: AccountNames) => string | null;

/** A describer for answers of one schema. */
export function describer<Schema extends z.ZodType>(
  schema: Schema,
  describe: (answer: z.output<Schema>, appUrl: string, names: AccountNames) => string,
): Describer {
  return (data, appUrl, names) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? describe(parsed.data, appUrl, names) : null;
  };
}
