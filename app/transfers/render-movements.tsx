import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { askedId, memberPage } from "@/app/member-page";
import {
  movementPlaceSchema,
  movementSearchSchema,
  refusedAmountOf,
} from "@/lib/contract/search/search-schemas";
import "server-only";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { MovementPage, MovementsPage } from "@/app/transfers/_components/movements-page";
import {
  type MovementTab,
  movementHref,
  movementsHref,
  movementsPath,
} from "@/lib/contract/search/movement-search";
import { listMemberMovements } from "@/lib/views/movements/list-member-movements";
import { readMovementDetail } from "@/lib/views/movements/read-movement-detail";

/** One of the three lists; filters, page and open drawer live in the URL. */
export function movementsPage(tab: MovementTab) {
  return memberPage({
    search: (asked) => {
      dropEmptyParameters(movementsPath(tab), asked);
      return {
        search: movementSearchSchema.parse(asked),
        place: movementPlaceSchema.parse(asked),
        refusedAmount: refusedAmountOf(asked.amount),
      };
    },
    at: ({ search, place }) => movementsHref(tab, search, place),
    current: "MOVEMENTS",
    load: async (reading, { search, place }) => {
      const [movements, saved] = await Promise.all([
        listMemberMovements(reading, tab, search, place),
        renderSavedFilters(reading.context, tab, movementsHref(tab, search)),
      ]);
      return { movements, saved };
    },
    isWide: ({ movements }) => movements.open !== null,
    show: ({ view: { movements, saved }, search: { refusedAmount } }) => (
      <MovementsPage view={movements} refusedAmount={refusedAmount} saved={saved} />
    ),
  });
}

/** The page of one movement: the drawer's content on its own page. */
export function movementPage(tab: MovementTab) {
  return memberPage({
    search: askedId,
    at: (id) => movementHref(tab, id),
    current: "MOVEMENTS",
    load: (reading, id) => readMovementDetail(reading, tab, id),
    show: ({ view }) => <MovementPage view={view} />,
  });
}
