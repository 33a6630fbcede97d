import { z } from "zod";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";

/** The sections of the accounts page, in their order. */
export const ACCOUNT_SECTIONS = ["income", "pods", "outside", "owed", "closed"] as const;
export type AccountSectionName = (typeof ACCOUNT_SECTIONS)[number];

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);

/** What the address of the accounts says of how they are looked at; what is not understood is left out. */
export const accountsSearchSchema = z.object({
  /** Only this section, all of it by pages; null: the beginning of each. */
  only: z.preprocess(first, z.enum(ACCOUNT_SECTIONS).nullable()).catch(null).default(null),
  page: z.preprocess(first, z.coerce.number().int().min(1).max(MAXIMUM_PAGE)).catch(1).default(1),
});
export type AccountsSearch = z.infer<typeof accountsSearchSchema>;

export function accountsHref({ only, page }: AccountsSearch): string {
  if (only === null) return "/accounts";
  return page > 1 ? `/accounts?only=${only}&page=${page}` : `/accounts?only=${only}`;
}
