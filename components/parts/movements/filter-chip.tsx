import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { CloseFilters } from "@/components/parts/movements/list-keys";
import { formatDate } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { chipClass } from "@/components/ui/chip-class";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";

/** A panel on a phone is as wide as the filters, and opens below them. */
export const FILTERS = "flex flex-wrap items-center gap-2 max-lg:relative print:hidden";

interface FilterChipProps {
  label: string;
  /** The chosen value; null for any. */
  chosen: string | null;
  /** Instead of "any". */
  whenNone?: string;
  /** The last one opens toward the start, where there is room; below all filters on narrow screens. */
  isLast?: boolean;
  /** From the start: its form shows an error. */
  isOpen?: boolean;
  /** Only in a browser's part. */
  onOpen?: (panel: HTMLDetailsElement) => void;
  children: ReactNode;
}

/** A filter with a small panel. Works without scripts; only one is open at a time. */
export function FilterChip({
  label,
  chosen,
  whenNone = "any",
  isLast = false,
  isOpen = false,
  onOpen,
  children,
}: FilterChipProps) {
  return (
    // Remounts on a new choice, so the panel closes.
    <details
      className={`group/filter relative [&_summary]:list-none [&_summary::-webkit-details-marker]:hidden ${isLast ? "max-lg:static" : "max-sm:static"}`}
      name="filter"
      key={chosen}
      open={isOpen}
      onToggle={onOpen ? ({ currentTarget: panel }) => panel.open && onOpen(panel) : undefined}
    >
      <summary className={chipClass({ on: chosen !== null })}>
        <span>
          {label} <b>{chosen ?? whenNone}</b>
        </span>
        <ChevronDown className="group-open/filter:rotate-180" />
      </summary>
      <div
        className={`absolute top-[calc(100%_+_6px)] z-3 w-66 p-2 border border-rule-strong rounded-lg bg-surface shadow-float max-sm:inset-x-0 max-sm:w-auto ${isLast ? "lg:right-0 max-lg:left-0" : "left-0"}`}
      >
        {children}
      </div>
    </details>
  );
}

/** A filter that is on or off; pressing an active one removes it. */
export function ToggleChip({ label, isOn, href }: { label: string; isOn: boolean; href: string }) {
  return (
    <Link className={chipClass({ on: isOn })} href={href} scroll={false}>
      {label}
      {isOn ? (
        <>
          <X />
          <span className="sr-only">, remove</span>
        </>
      ) : null}
    </Link>
  );
}

export interface Choice {
  label: string;
  href: string;
  isChosen: boolean;
}

/** One of several, as links: the URL holds the choice. */
export function ChoiceList({ choices }: { choices: Choice[] }) {
  return (
    <ul className="max-h-80 overflow-y-auto [&_a]:block [&_a]:py-1.75 [&_a]:px-2.5 [&_a]:rounded-md [&_a]:wrap-anywhere [&_a:hover]:bg-hover [&_[aria-current]]:bg-water-3 [&_[aria-current]]:font-semibold max-sm:[&_a]:py-3 max-sm:[&_a]:px-2.5">
      {choices.map(({ label, href, isChosen }) => (
        <li key={href}>
          <Link href={href} scroll={false} aria-current={isChosen ? "true" : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** One that is typed or checked; below choices, set apart from them. */
export function FilterForm({ action, children }: { action: string; children: ReactNode }) {
  return (
    <form
      className="grid gap-2.5 p-2 [ul+&]:mt-2 [ul+&]:pt-3.5 [ul+&]:border-t [ul+&]:border-rule [&_fieldset]:min-w-0"
      action={action}
    >
      {children}
    </form>
  );
}

interface FiltersEndProps {
  /** The list without filters; null: none is set. */
  clearHref: string | null;
  /** Filters that the member saved. */
  saved: ReactNode;
}

/** After the last filter of a list. */
export function FiltersEnd({ clearHref, saved }: FiltersEndProps) {
  return (
    <>
      {clearHref === null ? null : (
        <Link className={LINK} href={clearHref} scroll={false}>
          Clear filters
        </Link>
      )}
      {saved}
      <CloseFilters />
    </>
  );
}

export const FILTER_LABEL = "grid gap-1 text-sm/5 text-ink-2";

interface Days {
  /** Calendar dates; null or absent: open. */
  from?: string | null;
  to?: string | null;
}

interface DaysFormProps extends Days {
  /** The list's address. */
  action: string;
  /** All parameters of the list. */
  pairs: [string, string][];
  /** What a choice of dates replaces, besides the dates. */
  without?: readonly string[];
}

/** The first and last day of what is listed. */
export function DaysForm({ action, pairs, without = [], from, to }: DaysFormProps) {
  return (
    <FilterForm action={action}>
      <KeptPairs pairs={pairs} without={["from", "to", ...without]} />
      <label className={FILTER_LABEL}>
        <span>From</span>
        <input className={inputClass()} type="date" name="from" defaultValue={from ?? ""} />
      </label>
      <label className={FILTER_LABEL}>
        <span>To</span>
        <input className={inputClass()} type="date" name="to" defaultValue={to ?? ""} />
      </label>
      <Button kind="outlined" size="small" type="submit">
        Apply dates
      </Button>
    </FilterForm>
  );
}

/** Null for any day. */
export function daysWords({ from, to }: Days, time: TimeContext): string | null {
  if (from && to) return `${formatDate(from, time)} to ${formatDate(to, time)}`;
  if (from) return `since ${formatDate(from, time)}`;
  return to ? `until ${formatDate(to, time)}` : null;
}

/** Keeps the other parameters when a form changes some. */
export function KeptPairs({ pairs, without }: { pairs: [string, string][]; without: readonly string[] }) {
  return pairs
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />);
}
