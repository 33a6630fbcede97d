import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { ChangedRow } from "@/components/parts/approvals/changed-row";
import { SUBLINE } from "@/components/ui/text-styles";
import type { BalanceRowView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";

interface BalanceTableProps {
  balances: BalanceRowView[];
  together: ApprovalView["together"];
  /** Header of the column with the approved change. */
  changeLabel: "This transfer" | "This run" | `These ${number}`;
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
    <Table
      caption="Balances before and after"
      rows={balances}
      keyOf={({ accountId, name }) => accountId ?? name}
      frame={({ nowInCents }, cells) => <ChangedRow watched={nowInCents}>{cells}</ChangedRow>}
      columns={[
        {
          head: "Account",
          header: true,
          cell: ({ name, isOutside }) => (
            <>
              {name}
              {isOutside ? <span className={SUBLINE}>Outside Sluice</span> : null}
            </>
          ),
          foot: together ? "Together" : undefined,
        },
        {
          head: "Now",
          kind: "MONEY",
          cell: ({ nowInCents }) => <Amount cents={nowInCents} quiet />,
          foot: together ? <Amount cents={together.nowInCents} /> : undefined,
        },
        {
          head: changeLabel,
          kind: "MONEY",
          phone: "BELOW",
          cell: ({ changeInCents }) => (
            <Change cents={changeInCents} isShown={!hasFollows || changeInCents !== 0} />
          ),
          below: changeWords,
          foot: together ? <Amount cents={together.changeInCents} plus="whenPositive" /> : undefined,
        },
        hasFollows && {
          head: "Then by rule",
          kind: "MONEY",
          phone: "HIDDEN",
          cell: ({ followsInCents }) => <Change cents={followsInCents} isShown={followsInCents !== 0} />,
          foot: together ? <Amount cents={together.followsInCents} plus="whenPositive" /> : undefined,
        },
        {
          head: lastColumn,
          kind: "MONEY",
          cell: ({ afterInCents }) => afterInCents,
          foot: together ? <Amount cents={together.afterInCents} /> : undefined,
        },
      ]}
    />
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
