import { FilterChip, KeptPairs } from "@/components/movements/filter-chip";
import { Button } from "@/components/ui/button";
import { formatCents } from "@/lib/contract/format-cents";
import {
  amountText,
  MAXIMUM_SEARCH_TEXT_LENGTH,
  movementPairs,
  movementsPath,
} from "@/lib/contract/movement-search";
import type { MovementListView } from "@/lib/contract/views/movements-view";

/** By words and by amount. */
export function FindChip({ view: { tab, search } }: { view: MovementListView }) {
  const { q, amount } = search;
  const found = [q === null ? null : `“${q}”`, amount === null ? null : formatCents(amount)].filter(Boolean);
  return (
    <FilterChip label="Find" chosen={found.length > 0 ? found.join(", ") : null}>
      <form action={movementsPath(tab)} className="fpop-f">
        <KeptPairs pairs={movementPairs(tab, search)} without={["q", "amount"]} />
        <label>
          <span>{tab === "TRANSFERS" ? "Name, label or reason" : "Name"}</span>
          <input
            className="in"
            type="search"
            name="q"
            maxLength={MAXIMUM_SEARCH_TEXT_LENGTH}
            defaultValue={q ?? ""}
          />
        </label>
        <label>
          <span>Amount</span>
          <input
            className="in"
            name="amount"
            inputMode="decimal"
            placeholder="1,250.00"
            defaultValue={amount === null ? "" : amountText(amount)}
          />
        </label>
        <Button kind="outlined" size="small" type="submit">
          Find
        </Button>
      </form>
    </FilterChip>
  );
}
