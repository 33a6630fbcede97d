import { FILTERS_PER_LIST } from "@/lib/contract/limits";
import { filterQueryOf, SAVED_LIST_PATHS, type SavedList } from "@/lib/contract/search/saved-filters";
import type { Reading } from "@/lib/views/reading";
import { namesToChoose } from "@/lib/words/names-to-choose";

/**
 * A member's saved filters of the shown list, by name.
 * @param href of the shown list with its filters
 */
export async function listSavedFilters(
  { services, context: { organizationId, actor } }: Reading,
  list: SavedList,
  href: string,
) {
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
      /** Says so where another name looks the same. */
      label: labelOf(id),
      href: `${SAVED_LIST_PATHS[list]}?${query}`,
      isShown: query === shown,
    })),
    /** What is shown now; empty: nothing to save. */
    query: shown,
  };
}

export type SavedFiltersView = Awaited<ReturnType<typeof listSavedFilters>>;
