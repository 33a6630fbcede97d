import "server-only";
import { SavedFilters } from "@/app/saved-filters/_components/saved-filters";
import type { SavedList } from "@/lib/contract/search/saved-filters";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { getRuntime } from "@/lib/next/runtime";
import { listSavedFilters } from "@/lib/views/organization/list-saved-filters";

/**
 * The member's saved filters of a list, for its filters.
 * @param href of the list as it is shown
 */
export async function renderSavedFilters(context: Context<MemberActor>, list: SavedList, href: string) {
  const view = await listSavedFilters({ services: getRuntime().services, context }, list, href);
  return <SavedFilters view={view} />;
}
