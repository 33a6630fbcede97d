"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import {
  type Choice,
  ChoiceList,
  DaysForm,
  FILTER_LABEL,
  FILTERS,
  FilterChip,
  FilterForm,
  FiltersEnd,
  KeptPairs,
  ToggleChip,
} from "@/components/parts/movements/filter-chip";
import { windowWords } from "@/components/parts/movements/list-words";
import { Button } from "@/components/ui/button";
import { CHECKBOX } from "@/components/ui/choice-class";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { formatCents } from "@/lib/contract/format-cents";
import {
  amountText,
  CARD_KINDS,
  MAXIMUM_ACCOUNTS_IN_SEARCH,
  MAXIMUM_SEARCH_TEXT_LENGTH,
  MOVEMENT_DAYS,
  MOVEMENT_DIRECTIONS,
  type MovementDirection,
  type MovementSearch,
  movementPairs,
  movementsHref,
  movementsPath,
  OUTSIDE_STATES,
  onlyWindow,
  TRANSFER_STATES,
  type TransferState,
} from "@/lib/contract/search/movement-search";
import { spendingCategorySchema } from "@/lib/contract/transactions";
import type { MovementListView } from "@/lib/views/movements/list-member-movements";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

const STATE_WORDS: Record<TransferState, string> = {
  settled: "Settled",
  "on-its-way": "On its way",
  waiting: "Waiting for approval",
  denied: "Denied",
  withdrawn: "Withdrawn",
  expired: "Expired",
  failed: "Failed",
  returned: "Returned",
  cancelled: "Canceled",
};
const DIRECTION_WORDS: Record<MovementDirection, string> = {
  in: "Incoming",
  out: "Outgoing",
  internal: "Between pods",
};
const KIND_WORDS = { purchase: "Purchase", refund: "Refund", payout: "Payout" };
const OUTSIDE_WORDS = { settled: "Settled", pending: "Not posted yet" };

/** The filters of a list. Links and GET forms only, so they work without scripts. */
export function MovementFilters({
  view,
  refusedAmount,
  saved,
}: {
  view: MovementListView;
  refusedAmount: string | null;
  saved: ReactNode;
}) {
  const { tab, search } = view;
  return (
    <search className={`${FILTERS} mx-0 mt-4 mb-1`} aria-label="Filter movements">
      <WindowChip view={view} />
      {tab === "CARDS" ? <CardChip view={view} /> : null}
      {tab === "CARDS" ? (
        <Choices view={view} name="kind" label="Kind" values={CARD_KINDS} words={KIND_WORDS} />
      ) : null}
      <AccountChip view={view} />
      {tab === "TRANSFERS" ? (
        <Choices view={view} name="status" label="Status" values={TRANSFER_STATES} words={STATE_WORDS} />
      ) : null}
      {tab === "OUTSIDE" ? (
        <>
          <Choices
            view={view}
            name="category"
            label="Category"
            values={spendingCategorySchema.options}
            words={CATEGORY_WORDS}
          />
          <Choices view={view} name="state" label="Status" values={OUTSIDE_STATES} words={OUTSIDE_WORDS} />
        </>
      ) : null}
      {tab === "CARDS" ? null : (
        <Choices
          view={view}
          name="direction"
          label="Direction"
          values={MOVEMENT_DIRECTIONS.filter((direction) => tab === "TRANSFERS" || direction !== "internal")}
          words={DIRECTION_WORDS}
        />
      )}
      {tab === "TRANSFERS" ? <RequesterChip view={view} /> : null}
      <FindChip view={view} refusedAmount={refusedAmount} />
      {tab === "TRANSFERS" ? (
        <ToggleChip
          label="Include dry runs"
          isOn={search.dry !== null}
          href={movementsHref(tab, { ...search, dry: search.dry === null ? "1" : null })}
        />
      ) : null}
      <FiltersEnd clearHref={view.isNarrowed ? movementsHref(tab, onlyWindow(search)) : null} saved={saved} />
    </search>
  );
}

type ChoiceName = "status" | "direction" | "kind" | "category" | "state";

function Choices<Value extends string>({
  view: { tab, search },
  name,
  label,
  values,
  words,
}: {
  view: MovementListView;
  name: ChoiceName;
  label: string;
  values: readonly (Value & NonNullable<MovementSearch[ChoiceName]>)[];
  words: Record<Value, string>;
}) {
  const chosen = values.find((value) => value === search[name]) ?? null;
  const choices: Choice[] = [
    { label: "Any", href: movementsHref(tab, { ...search, [name]: null }), isChosen: chosen === null },
    ...values.map((value) => ({
      label: words[value],
      href: movementsHref(tab, { ...search, [name]: value }),
      isChosen: value === chosen,
    })),
  ];
  return (
    <FilterChip label={label} chosen={chosen === null ? null : words[chosen]}>
      <ChoiceList choices={choices} />
    </FilterChip>
  );
}

function CardChip({ view: { tab, search, cards } }: { view: MovementListView }) {
  const choices = [{ id: null, name: "Any" }, ...cards].map(({ id, name }) => ({
    label: name,
    href: movementsHref(tab, { ...search, card: id }),
    isChosen: id === search.card,
  }));
  return (
    <FilterChip label="Card" chosen={nameOf(cards, search.card)}>
      <ChoiceList choices={choices} />
    </FilterChip>
  );
}

function RequesterChip({ view: { tab, search, requesters } }: { view: MovementListView }) {
  const choices = [{ id: null, name: "Anyone" }, ...requesters].map(({ id, name }) => ({
    label: name,
    href: movementsHref(tab, { ...search, by: id }),
    isChosen: id === search.by,
  }));
  return (
    <FilterChip label="Requested by" chosen={nameOf(requesters, search.by)}>
      <ChoiceList choices={choices} />
    </FilterChip>
  );
}

/** A chosen id that is no longer offered still filters, and is shown as removed. */
function nameOf(options: readonly { id: string; name: string }[], id: string | null): string | null {
  if (id === null) return null;
  return options.find((option) => option.id === id)?.name ?? "removed";
}

function AccountChip({ view: { tab, search, accounts } }: { view: MovementListView }) {
  const { account } = search;
  const [only] = account;
  const chosen =
    account.length > 1 ? `${account.length} accounts` : only === undefined ? null : nameOf(accounts, only);
  return (
    <FilterChip label="Account" chosen={chosen}>
      <FilterForm action={movementsPath(tab)}>
        <KeptPairs pairs={movementPairs(tab, search)} without={["account"]} />
        <fieldset>
          <legend className="sr-only">Up to {MAXIMUM_ACCOUNTS_IN_SEARCH}</legend>
          <div className="max-h-70 overflow-y-auto">
            {accounts.map(({ id, name }) => (
              <label className="flex items-center gap-2.5 min-h-8.5 wrap-anywhere max-sm:min-h-11" key={id}>
                <input
                  className={CHECKBOX}
                  type="checkbox"
                  name="account"
                  value={id}
                  defaultChecked={account.includes(id)}
                />
                <span>{name}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Button kind="outlined" size="small" type="submit">
          Apply accounts
        </Button>
      </FilterForm>
    </FilterChip>
  );
}

/** Search by text and amount. */
function FindChip({
  view: { tab, search },
  refusedAmount,
}: {
  view: MovementListView;
  refusedAmount: string | null;
}) {
  const errorId = useId();
  const amountField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refusedAmount !== null) amountField.current?.focus();
  }, [refusedAmount]);
  const { q, amount } = search;
  const found = [q === null ? null : `“${q}”`, amount === null ? null : formatCents(amount)].filter(Boolean);
  return (
    <FilterChip
      label="Search"
      chosen={found.length > 0 ? found.join(", ") : null}
      isOpen={refusedAmount !== null}
      onOpen={focusSearch}
    >
      <FilterForm action={movementsPath(tab)}>
        <KeptPairs pairs={movementPairs(tab, search)} without={["q", "amount"]} />
        <label className={FILTER_LABEL}>
          <span>{tab === "TRANSFERS" ? "Name, label or reason" : "Name"}</span>
          <input
            className={inputClass()}
            type="search"
            name="q"
            maxLength={MAXIMUM_SEARCH_TEXT_LENGTH}
            defaultValue={q ?? ""}
          />
        </label>
        <label className={FILTER_LABEL}>
          <span>Amount</span>
          <input
            className={inputClass({ invalid: refusedAmount !== null })}
            ref={amountField}
            name="amount"
            inputMode="decimal"
            placeholder="1,250.00"
            defaultValue={refusedAmount ?? (amount === null ? "" : amountText(amount))}
            aria-invalid={refusedAmount === null ? undefined : true}
            aria-describedby={refusedAmount === null ? undefined : errorId}
          />
        </label>
        {refusedAmount === null ? null : (
          <FieldError id={errorId}>Write an amount like 1,250.00. The list is not filtered by it.</FieldError>
        )}
        <Button kind="outlined" size="small" type="submit">
          Search
        </Button>
      </FilterForm>
    </FilterChip>
  );
}

function focusSearch(panel: HTMLDetailsElement): void {
  // A panel that is open from the start has the focus at what was refused.
  if (!panel.contains(document.activeElement) || document.activeElement?.tagName === "SUMMARY") {
    panel.querySelector<HTMLInputElement>("[type=search]")?.focus();
  }
}

/** The time window: recent days, all time, or a date range. */
function WindowChip({ view: { tab, search, time } }: { view: MovementListView }) {
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
      <DaysForm
        action={movementsPath(tab)}
        pairs={movementPairs(tab, search)}
        without={["days"]}
        from={from}
        to={to}
      />
    </FilterChip>
  );
}
