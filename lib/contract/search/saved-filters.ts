import { z } from "zod";
import { MAXIMUM_FILTER_NAME_LENGTH } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";

/** The lists whose filters can be saved. */
export const savedListSchema = z.enum(["TRANSFERS", "CARDS", "OUTSIDE", "APPROVALS", "REQUESTS", "ACTIVITY"]);
export type SavedList = z.infer<typeof savedListSchema>;

export const SAVED_LIST_PATHS: Readonly<Record<SavedList, string>> = {
  TRANSFERS: "/transfers",
  CARDS: "/transfers/cards",
  OUTSIDE: "/transfers/outside",
  APPROVALS: "/approvals",
  REQUESTS: "/audit",
  ACTIVITY: "/audit/activity",
};

const MAXIMUM_QUERY_LENGTH = 2_000;

export const filterNameSchema = nameText(MAXIMUM_FILTER_NAME_LENGTH);

export const filterQuerySchema = z
  .string()
  .min(1, "must have a filter")
  .max(MAXIMUM_QUERY_LENGTH, "has too many filters to save");

/** Where in a list a page begins and what is open there: no part of a filter. */
const PLACES: readonly string[] = ["before", "after", "open", "entry", "waiting", "page"];

/**
 * The filters in an address, without a position: what is saved, and what tells whether a saved filter is the shown one.
 */
export function filterQueryOf(href: string): string {
  const pairs = new URLSearchParams(href.split("?", 2)[1] ?? "");
  for (const name of PLACES) pairs.delete(name);
  pairs.sort();
  return pairs.toString();
}
