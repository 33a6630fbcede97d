import { ChangedRow } from "@/components/approvals/changed-row";
import { Amount } from "@/components/money/amount";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView, BalanceRowView } from "@/lib/contract/views/approval-view";

interface BalanceTableProps {
  balances: BalanceRowView[];
  together: ApprovalView["together"];
  /** What the last column is called: `After` while it waits, `Expected` once it is on its way. */
  lastColumn: "After" | "Expected";
}

/**
 * Balances before and after, closed by *Together*: nothing appeared and nothing vanished. Columns for what follows
 * by rule stand between "This transfer" and the last one.
 */
export function BalanceTable({ balances, together, lastColumn }: BalanceTableProps) {
  return (
    <table className="ledger bal">
      <caption className="vh">Balances before and after</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="num">
            Now
          </th>
          <th scope="col" className="num hide-s">
            This transfer
          </th>
          <th scope="col" className="num">
            {lastColumn}
          </th>
        </tr>
      </thead>
      <tbody>
        {balances.map((row) => (
          <ChangedRow key={row.accountId ?? row.name} watched={row.nowInCents}>
            <th scope="row">
              {row.name}
              {row.isOutside ? <span className="meta blk">Outside Sluice</span> : null}
              <span className="meta only-s blk">{formatCents(row.changeInCents, "whenPositive")} now</span>
            </th>
            <td className="num">
              <Amount cents={row.nowInCents} quiet />
            </td>
            <td className="num hide-s">
              <Amount cents={row.changeInCents} plus="whenPositive" />
            </td>
            <td className="num">
              <Amount cents={row.afterInCents} />
            </td>
          </ChangedRow>
        ))}
      </tbody>
      {together ? (
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            <td className="num">
              <Amount cents={together.nowInCents} />
            </td>
            <td className="num hide-s">
              <Amount cents={together.changeInCents} plus="whenPositive" />
            </td>
            <td className="num">
              <Amount cents={together.afterInCents} />
            </td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}
