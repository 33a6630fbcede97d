"use client";

import { KeyHints } from "@/app/approvals/_components/key-hints";
import {
  ChoiceList,
  FILTER_LABEL,
  FILTERS,
  FilterChip,
  FilterForm,
  KeptPairs,
} from "@/components/parts/movements/filter-chip";
import { Button } from "@/components/ui/button";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import {
  EVERY_WAITING,
  type QueueSearch,
  queueHref,
  queuePairs,
  typedAmount,
} from "@/lib/contract/search/queue-search";
import type { QueueGroups } from "@/lib/views/approvals/read-queue";

const KINDS: { id: QueueSearch["kind"]; name: string }[] = [
  { id: "transfer", name: "Transfers" },
  { id: "run", name: "Rule runs" },
];

/** Narrows what waits. Links and one form, so it works without scripts. */
export function QueueFilters({ groups }: { groups: QueueGroups }) {
  const { search, requesters, accounts } = groups;
  return (
    <div className="mt-7 flex flex-wrap items-center justify-between gap-4">
      <search className={FILTERS} aria-label="Filter what waits">
        <OneOf label="Requester" whenNone="anyone" name="requester" search={search} options={requesters} />
        <OneOf label="Kind" name="kind" search={search} options={KINDS} />
        <OneOf label="Account" name="account" search={search} options={accounts} />
        <FilterChip label="Amount" chosen={amountWords(search)} isLast>
          <FilterForm action="/approvals">
            <KeptPairs pairs={queuePairs(search)} without={["least", "most"]} />
            <AmountField label="From" name="least" cents={search.least} />
            <AmountField label="To" name="most" cents={search.most} />
            <Button kind="outlined" size="small" type="submit">
              Apply amounts
            </Button>
          </FilterForm>
        </FilterChip>
        {groups.isNarrowed ? (
          <Link className={LINK} href={queueHref(EVERY_WAITING)} scroll={false}>
            Clear filters
          </Link>
        ) : null}
      </search>
      <KeyHints
        hints={[
          { keys: ["J", "K"], does: "move" },
          { keys: ["↵"], does: "open" },
          { keys: ["N"], does: "next" },
        ]}
      />
    </div>
  );
}

interface OneOfProps {
  label: string;
  whenNone?: string;
  name: "requester" | "kind" | "account";
  search: QueueSearch;
  options: readonly { id: string | null; name: string }[];
}

function OneOf({ label, whenNone = "any", name, search, options }: OneOfProps) {
  const chosen = search[name];
  const chosenName = options.find(({ id }) => id === chosen)?.name ?? "none that waits";
  const choices = [{ id: null, name: whenNone === "anyone" ? "Anyone" : "Any" }, ...options].map(
    (option) => ({
      label: option.name,
      href: queueHref({ ...search, [name]: option.id }),
      isChosen: option.id === chosen,
    }),
  );
  return (
    <FilterChip label={label} whenNone={whenNone} chosen={chosen === null ? null : chosenName}>
      <ChoiceList choices={choices} />
    </FilterChip>
  );
}

function AmountField({
  label,
  name,
  cents,
}: {
  label: string;
  name: "least" | "most";
  cents: number | null;
}) {
  return (
    <label className={FILTER_LABEL}>
      <span>{label}</span>
      <input
        className={inputClass()}
        name={name}
        inputMode="decimal"
        placeholder="0.00"
        pattern="\$?[0-9][0-9,]{0,12}(\.[0-9]{1,2})?"
        title="An amount in dollars, like 1,250.00"
        defaultValue={cents === null ? "" : typedAmount(cents)}
      />
    </label>
  );
}

/** Null for any amount. */
function amountWords({ least, most }: QueueSearch): string | null {
  if (least !== null && most !== null) return `${formatCents(least)} to ${formatCents(most)}`;
  if (least !== null) return `from ${formatCents(least)}`;
  return most === null ? null : `up to ${formatCents(most)}`;
}
