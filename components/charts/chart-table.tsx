import { type ChartRow, type ChartSpec, exactValue } from "@/components/charts/chart-spec";
import { Amount } from "@/components/money/amount";

export interface ChartTableWords {
  caption: string;
  /** The heading of the rows: `Day`, `Month`. */
  rowHead: string;
  /** CHANGED leaves out rows equal to the one before, NOT_ZERO rows without any value. */
  rows?: "ALL" | "CHANGED" | "NOT_ZERO";
}

interface ChartTableProps {
  spec: Pick<ChartSpec, "unit" | "rows" | "series">;
  words: ChartTableWords;
}

/** From this many columns on, a phone has to scroll the table. */
const WIDE_COLUMNS = 4;
/** Of the cells, on their table: there are hundreds on a page. */
const TABLE =
  "w-full border-collapse [&_:is(td,th)]:border-b [&_:is(td,th)]:border-rule [&_:is(td,th)]:py-2.5 [&_tbody>tr:last-child>*]:border-b-0 [&_:is(td,th):not(:first-child)]:pl-4 [&_:is(td,th):not(:first-child)]:text-right [&_th:first-child]:text-left [&_thead_th]:font-normal [&_tbody_th]:font-medium [&_td]:whitespace-nowrap";

/** The chart's numbers as text, newest first. */
export function ChartTable({ spec, words }: ChartTableProps) {
  const { series, unit } = spec;
  const isWide = series.length >= WIDE_COLUMNS;
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-sm text-ink-2 max-[760px]:min-h-11">
        Show as table
      </summary>
      <div
        className="overflow-x-auto"
        // A scrolling region must be reachable by keyboard.
        {...(isWide && { tabIndex: 0, role: "region", "aria-label": words.caption })}
      >
        <table className={TABLE}>
          <caption className="sr-only">{words.caption}</caption>
          <thead className="text-sm text-ink-3">
            <tr>
              <th scope="col">{words.rowHead}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listedRows(spec.rows, words.rows ?? "ALL").map((row) => (
              <tr key={`${row.label} ${row.tick}`}>
                <th scope="row">
                  {row.label}
                  {row.note ? <span className="block text-sm font-normal text-ink-3">{row.note}</span> : null}
                </th>
                {series.map(({ name, plus }, index) => {
                  const value = row.values[index] ?? 0;
                  return (
                    <td key={name}>
                      {unit === "CENTS" && isAmount(series[index]) ? (
                        <Amount cents={value} {...(plus && { plus })} />
                      ) : (
                        exactValue("COUNT", value)
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Marks are counted, whatever the unit of the chart. */
export function isAmount(series: ChartSpec["series"][number] | undefined): boolean {
  return series?.shape !== "MARK";
}

function listedRows(rows: readonly ChartRow[], listed: NonNullable<ChartTableWords["rows"]>): ChartRow[] {
  const wanted = rows.filter((row, index) => {
    if (listed === "ALL") return true;
    if (listed === "NOT_ZERO") return row.values.some((value) => value !== 0);
    const before = rows[index - 1]?.values;
    return row.values.some((value, place) => value !== before?.[place]);
  });
  return wanted.reverse();
}
