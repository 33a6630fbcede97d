import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";

/** One line under a list. */
export interface ListSum {
  label: string;
  cents: number;
}

interface SumRowsProps {
  sums: readonly ListSum[];
  /** Columns that the label spans. */
  span?: number;
  /** Empty cells around it, which hide with their columns. */
  before?: ReactNode;
  after?: ReactNode;
}

/** What a list comes to, under its column of amounts. */
export function SumRows({ sums, span = 1, before, after }: SumRowsProps) {
  if (sums.length === 0) return null;
  return (
    <tfoot>
      {sums.map(({ label, cents }) => (
        <tr key={label}>
          {before}
          <th scope="row" colSpan={span} className="whitespace-normal!">
            {label}
          </th>
          {after}
          <td className="number">
            <Amount cents={cents} />
          </td>
        </tr>
      ))}
    </tfoot>
  );
}
