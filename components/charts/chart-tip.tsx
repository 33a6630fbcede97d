import { type RefObject, useEffect } from "react";
import {
  type ChartRow,
  type ChartSpec,
  colorOf,
  columnsOf,
  exactValue,
} from "@/components/charts/chart-spec";
import { isAmount } from "@/components/charts/chart-table";

interface ChartTipProps {
  spec: ChartSpec;
  /** Announces the row. A live region inside the tooltip would be hidden together with it, and not be announced. */
  announcer: RefObject<HTMLElement | null>;
  /** From Recharts: the index of the row under the pointer or the keys. */
  label?: string | number | undefined;
  active?: boolean;
}

/** One row of the chart: its date first, then every value. */
export function ChartTip({ spec, announcer, label, active }: ChartTipProps) {
  const row = active ? spec.rows[Number(label)] : undefined;
  const words = row ? rowWords(spec, row) : "";
  useEffect(() => {
    if (announcer.current) announcer.current.textContent = words;
  }, [announcer, words]);
  if (!row) return null;
  return (
    <div className="rounded-md border border-rule-strong bg-surface px-3 py-2 text-sm whitespace-nowrap text-ink shadow-float">
      <p className="font-semibold">{row.label}</p>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6">
        {valuesOf(spec, row.values).map(({ name, color, text }) => (
          <Value key={name} name={name} color={color} text={text} />
        ))}
      </dl>
      {row.note ? <p className="text-ink-3">{row.note}</p> : null}
    </div>
  );
}

/** `19 Nov: In $2,000.00, Out $1,500.00. So far.` */
export function rowWords(spec: ChartSpec, { label, values, note }: ChartRow): string {
  const listed = valuesOf(spec, values).map(({ name, text }) => `${name} ${text}`);
  return `${label}: ${listed.join(", ")}.${note ? ` ${note}.` : ""}`;
}

interface ShownValue {
  name: string;
  /** Null: the only series, or a sum. */
  color: string | null;
  text: string;
}

/** Parts of a stack without a value are left out if there are more than this. */
const MANY_PARTS = 2;

function valuesOf({ series, unit }: ChartSpec, values: readonly number[]): ShownValue[] {
  const columns = columnsOf(series);
  const isListed = (index: number) => {
    if ((values[index] ?? 0) !== 0) return true;
    const column = columns.find((members) => members.includes(index));
    return isAmount(series[index]) && (column?.length ?? 0) <= MANY_PARTS;
  };
  const shown = series.flatMap((one, index): ShownValue[] => {
    if (!isListed(index)) return [];
    const text = exactValue(isAmount(one) ? unit : "COUNT", values[index] ?? 0, one.plus);
    return [{ name: one.name, color: series.length > 1 ? colorOf(one.color) : null, text }];
  });
  const [only, ...others] = columns;
  if (only === undefined || only.length === 1 || others.length > 0) return shown;
  const sum = only.reduce((total, index) => total + (values[index] ?? 0), 0);
  return [...shown, { name: "Total", color: null, text: exactValue(unit, sum) }];
}

function Value({ name, color, text }: ShownValue) {
  return (
    <>
      <dt className="flex items-center gap-2 text-ink-2">
        {color ? <span className="size-2 rounded-[2px]" style={{ background: color }} /> : null}
        {name}
      </dt>
      <dd className="text-right font-medium">{text}</dd>
    </>
  );
}
