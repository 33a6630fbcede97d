import { Amount } from "@/components/money/amount";
import { ChangedRow } from "@/components/parts/approvals/changed-row";
import { Ledger } from "@/components/ui/ledger";
import { SUBLINE } from "@/components/ui/text-styles";
import type { BalanceRowView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";

interface BalanceTableProps {
  balances: BalanceRowView[];
  together: ApprovalView["together"];
  /** Header of the column with the approved change. */
  changeLabel: "This transfer" | "This run";
  /** Header of the last column: `After` while it waits, `Expected` once on its way. */
  lastColumn: "After" | "Expected";
}

/**
 * Balances before and after; the row *Together* shows that no money appears or vanishes. Follow-ups by rule have their
 * own column, if there are any.
 */
export function BalanceTable({ balances, together, changeLabel, lastColumn }: BalanceTableProps) {
  const hasFollows = balances.some((row) => row.followsInCents !== 0);
  return (
    <Ledger>
      <caption className="sr-only">Balances before and after</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="number">
            Now
          </th>
          <th scope="col" className="max-sm:not-print:hidden! number">
            {changeLabel}
          </th>
          {hasFollows ? (
            <th scope="col" className="max-sm:not-print:hidden! number">
              Then by rule
            </th>
          ) : null}
          <th scope="col" className="number">
            {lastColumn}
          </th>
        </tr>
      </thead>
      <tbody>
        {balances.map((row) => (
          <ChangedRow key={row.accountId ?? row.name} watched={row.nowInCents}>
            <th scope="row">
              {row.name}
              {row.isOutside ? <span className={SUBLINE}>Outside Sluice</span> : null}
              <span className={`${SUBLINE} sm:hidden! print:hidden!`}>{changeWords(row)}</span>
            </th>
            <td className="number">
              <Amount cents={row.nowInCents} quiet />
            </td>
            <td className="max-sm:not-print:hidden! number">
              <Change cents={row.changeInCents} isShown={!hasFollows || row.changeInCents !== 0} />
            </td>
            {hasFollows ? (
              <td className="max-sm:not-print:hidden! number">
                <Change cents={row.followsInCents} isShown={row.followsInCents !== 0} />
              </td>
            ) : null}
            <td className="number">
              <Amount cents={row.afterInCents} />
            </td>
          </ChangedRow>
        ))}
      </tbody>
      {together ? (
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            <td className="number">
              <Amount cents={together.nowInCents} />
            </td>
            <td className="max-sm:not-print:hidden! number">
              <Amount cents={together.changeInCents} plus="whenPositive" />
            </td>
            {hasFollows ? (
              <td className="max-sm:not-print:hidden! number">
                <Amount cents={together.followsInCents} plus="whenPositive" />
              </td>
            ) : null}
            <td className="number">
              <Amount cents={together.afterInCents} />
            </td>
          </tr>
        </tfoot>
      ) : null}
    </Ledger>
  );
}

function Change({ cents, isShown }: { cents: number; isShown: boolean }) {
  return isShown ? <Amount cents={cents} plus="whenPositive" /> : <span className="text-ink-3">–</span>;
}

/** `+$4,250.00 now, −$12,000.00 by rule` */
function changeWords({ changeInCents, followsInCents }: BalanceRowView): string {
  const now = changeInCents !== 0 ? `${formatCents(changeInCents, "whenPositive")} now` : null;
  const later = followsInCents !== 0 ? `${formatCents(followsInCents, "whenPositive")} by rule` : null;
  return [now, later].filter((part) => part !== null).join(", ") || "No change";
}
