import { FILTERS_PER_LIST } from "@/lib/contract/limits";
import {
  filterQueryOf,
  SAVED_LIST_PATHS,
  type SavedFiltersView,
  type SavedList,
} from "@/lib/contract/search/saved-filters";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { namesToChoose } from "@/lib/words/names-to-choose";

/** @param href of the shown list with its filters */
export async function listSavedFilters(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  list: SavedList,
  href: string,
): Promise<SavedFiltersView> {
  const shown = filterQueryOf(href);
  const { rows } = await services.pool.query<{ id: string; name: string; query: string }>({
    name: "list_saved_filters",
    text: `
      select id, name, query from saved_filters
       where organization_id = $1 and user_id = $2 and list = $3
       order by lower(name), id limit ${FILTERS_PER_LIST}`,
    values: [organizationId, actor.id, list],
  });
  const labelOf = namesToChoose(rows);
  return {
    list,
    filters: rows.map(({ id, name, query }) => ({
      id,
      name,
      label: labelOf(id),
      href: `${SAVED_LIST_PATHS[list]}?${query}`,
      isShown: query === shown,
    })),
    query: shown,
  };
}
