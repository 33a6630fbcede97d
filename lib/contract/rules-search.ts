import { z } from "zod";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";

export const RULE_STATES = ["active", "paused", "inactive"] as const;
const MAXIMUM_SEARCH_LENGTH = 100;

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);

/** What the address of the rules says of how they are looked at; what is not understood is left out. */
export const rulesSearchSchema = z.object({
  state: z.preprocess(first, z.enum(RULE_STATES).nullable()).catch(null).default(null),
  /** A part of the name. */
  q: z
    .preprocess(first, z.string().trim().min(1).max(MAXIMUM_SEARCH_LENGTH).nullable())
    .catch(null)
    .default(null),
  page: z.preprocess(first, z.coerce.number().int().min(1).max(MAXIMUM_PAGE)).catch(1).default(1),
});
export type RulesSearch = z.infer<typeof rulesSearchSchema>;

export function rulesHref({ state, q, page }: RulesSearch): string {
  const pairs = new URLSearchParams();
  if (state !== null) pairs.set("state", state);
  if (q !== null) pairs.set("q", q);
  if (page > 1) pairs.set("page", String(page));
  return pairs.size > 0 ? `/rules?${pairs}` : "/rules";
}
