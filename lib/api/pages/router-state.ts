import { z } from "zod";

/** Next refuses a longer one, too. */
const MAXIMUM_LENGTH = 40_000;

const segmentSchema = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.string().max(10), z.array(z.string()).nullable()]),
]);
type RouterState = [unknown, Record<string, RouterState>, ...unknown[]];
const routerStateSchema: z.ZodType<RouterState> = z.lazy(() =>
  z
    .tuple([segmentSchema, z.record(z.string(), routerStateSchema)])
    .rest(z.union([z.tuple([z.string(), z.string()]), z.string(), z.number(), z.null()])),
);

/** Whether a browser's router can have sent this header, which says what of a page it has. */
export function isRouterState(header: string | string[]): boolean {
  if (typeof header !== "string" || header.length > MAXIMUM_LENGTH) return false;
  try {
    return routerStateSchema.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    // No escape, no JSON, or nested deeper than anybody can read.
    return false;
  }
}
