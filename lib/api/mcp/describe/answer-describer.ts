import type { z } from "zod";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";

/** The reader of a description. */
export interface Reader {
  /** The dashboard's address, without a trailing slash. */
  appUrl: string;
  /** Of accounts that the answer names by id. */
  names: AccountNames;
  /** Whether the caller has this tool: a text must not send it to one that it lacks. */
  mayCall: (tool: string) => boolean;
}

/** Describes the answer of an operation. Null when the answer does not have the expected shape. */
export type Describer = (data: unknown, reader: Reader) => string | null;

/** A describer for answers of one schema. */
export function describer<Schema extends z.ZodType>(
  schema: Schema,
  describe: (answer: z.output<Schema>, reader: Reader) => string,
): Describer {
  return (data, reader) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? describe(parsed.data, reader) : null;
  };
}
