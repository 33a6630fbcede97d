import type { z } from "zod";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

/**
 * Tells what an operation answered. `appUrl` is where the dashboard is, without a slash at its end; `names` are those of
 * accounts that the answer names by their ids. Null: it is not of the shape that the teller knows.
 */
export type Teller = (data: unknown, appUrl: string, names: AccountNames) => string | null;

/** A teller of answers of one schema. */
export function teller<Schema extends z.ZodType>(
  schema: Schema,
  tell: (answer: z.output<Schema>, appUrl: string, names: AccountNames) => string,
): Teller {
  return (data, appUrl, names) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? tell(parsed.data, appUrl, names) : null;
  };
}
