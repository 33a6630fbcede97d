import { type ChartSpec, colorOf, columnsOf, exactValue } from "@/components/charts/chart-spec";
import { isAmount } from "@/components/charts/chart-table";

interface ChartTipProps {
  spec: ChartSpec;
  /** From Recharts: the index of the row under the pointer or the keys. */
  label?: string | number | undefined;
  active?: boolean;
}

/** What the chart says about one row: its date first, then every value. */
export function ChartTip({ spec, label, active }: ChartTipProps) {
  const row = spec.rows[Number(label)];
  return (
    // Screen readers announce it when an arrow key moves it.
    <div role="status">
      {active && row ? (
        <div className="rounded-md border border-rule-strong bg-surface px-3 py-2 text-sm whitespace-nowrap text-ink shadow-float">
          <p className="font-semibold">{row.label}</p>
          <dl className="grid grid-cols-[1fr_auto] gap-x-6">
            <Lines spec={spec} values={row.values} />
          </dl>
          {row.note ? <p className="text-ink-3">{row.note}</p> : null}
        </div>
      ) : null}
    </div>
  );
}

/** Parts of a stack without a value are left out if there are more than this. */
const MANY_PARTS = 2;

function Lines({ spec, values }: { spec: ChartSpec; values: readonly number[] }) {
  const { series, unit } = spec;
  const columns = columnsOf(series);
  const isListed = (index: number) => {
    if ((values[index] ?? 0) !== 0) return true;
    const column = columns.find((members) => members.includes(index));
    return isAmount(series[index]) && (column?.length ?? 0) <= MANY_PARTS;
  };
  const [only, ...others] = columns;
  const isSummed = only !== undefined && only.length > 1 && others.length === 0;
  const sum = (only ?? []).reduce((total, index) => total + (values[index] ?? 0), 0);
  return (
    <>
      {series.map((one, index) =>
        isListed(index) ? (
          <Value
            key={one.name}
            name={one.name}
            color={series.length > 1 ? colorOf(one.color) : null}
            value={exactValue(isAmount(one) ? unit : "COUNT", values[index] ?? 0, one.plus)}
          />
        ) : null,
      )}
      {isSummed ? <Value name="Total" color={null} value={exactValue(unit, sum)} /> : null}
    </>
  );
}

function Value({ name, color, value }: { name: string; color: string | null; value: string }) {
  return (
    <>
      <dt className="flex items-center gap-2 text-ink-2">
        {color ? <span className="size-2 rounded-[2px]" style={{ background: color }} /> : null}
        {name}
      </dt>
      <dd className="text-right font-medium">{value}</dd>
    </>
  );
}
