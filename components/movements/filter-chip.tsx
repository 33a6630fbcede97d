import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { formatDate } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface FilterChipProps {
  label: string;
  /** The chosen value; null for any. */
  chosen: string | null;
  children: ReactNode;
}

/** A filter with a small panel. Works without scripts; only one is open at a time. */
export function FilterChip({ label, chosen, children }: FilterChipProps) {
  return (
    // Remounts on a new choice, so the panel closes.
    <details className="fpop" name="filter" key={chosen}>
      <summary className={chosen === null ? "fchip" : "fchip on"}>
        <span>
          {label} <b>{chosen ?? "any"}</b>
        </span>
        <ChevronDown className="ic" />
      </summary>
      <div className="fpop-b">{children}</div>
    </details>
  );
}

/** A filter that is on or off; pressing an active one removes it. */
export function ToggleChip({ label, isOn, href }: { label: string; isOn: boolean; href: string }) {
  return (
    <Link className={isOn ? "fchip on" : "fchip"} href={href} scroll={false}>
      {label}
      {isOn ? (
        <>
          <X className="ic" />
          <span className="vh">, remove</span>
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
    <ul className="fpop-l">
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
    <form action={action} className="fpop-f">
      <KeptPairs pairs={pairs} without={["from", "to", ...without]} />
      <label>
        <span>From</span>
        <input className="in" type="date" name="from" defaultValue={from ?? ""} />
      </label>
      <label>
        <span>To</span>
        <input className="in" type="date" name="to" defaultValue={to ?? ""} />
      </label>
      <Button kind="outlined" size="small" type="submit">
        Apply dates
      </Button>
    </form>
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
