import { ChoiceList, FilterChip, KeptPairs } from "@/components/movements/filter-chip";
import { windowWords } from "@/components/movements/list-words";
import { Button } from "@/components/ui/button";
import { MOVEMENT_DAYS, movementPairs, movementsHref, movementsPath } from "@/lib/contract/movement-search";
import type { MovementListView } from "@/lib/contract/views/movements-view";

/** How far back the list looks: some days, all time, or from one day to another. */
export function WindowChip({ view: { tab, search, time } }: { view: MovementListView }) {
  const { from, to } = search;
  const hasRange = from !== null || to !== null;
  const choices = MOVEMENT_DAYS.map((days) => ({
    label: days === "all" ? "All time" : `Last ${days} days`,
    href: movementsHref(tab, { ...search, days, from: null, to: null }),
    isChosen: !hasRange && days === search.days,
  }));
  return (
    <FilterChip label="When" chosen={windowWords(search, time).replace(/^the (time )?/, "")}>
      <ChoiceList choices={choices} />
      <form action={movementsPath(tab)} className="fpop-f">
        <KeptPairs pairs={movementPairs(tab, search)} without={["from", "to", "days"]} />
        <label>
          <span>From</span>
          <input className="in" type="date" name="from" defaultValue={from ?? ""} />
        </label>
        <label>
          <span>To</span>
          <input className="in" type="date" name="to" defaultValue={to ?? ""} />
        </label>
        <Button kind="outlined" size="small" type="submit">
          Show these days
        </Button>
      </form>
    </FilterChip>
  );
}
