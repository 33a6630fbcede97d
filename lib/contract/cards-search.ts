import { z } from "zod";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);

/** What the address of the cards says of how they are looked at; what is not understood is left out. */
export const cardsSearchSchema = z.object({
  page: z.preprocess(first, z.coerce.number().int().min(1).max(MAXIMUM_PAGE)).catch(1).default(1),
  /** The one that was issued a moment ago. */
  issued: z.preprocess(first, z.uuid().nullable()).catch(null).default(null),
});
export type CardsSearch = z.infer<typeof cardsSearchSchema>;

export function cardsHref(page: number): string {
  return page > 1 ? `/cards?page=${page}` : "/cards";
}
