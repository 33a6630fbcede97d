import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { ReviewBalance } from "@/lib/views/approvals/read-review";

interface ReviewBalancesProps {
  balances: readonly ReviewBalance[];
  changeLabel: "This transfer" | "This run";
}

/** Balances before and after, with what is marked to be approved before it. */
export function ReviewBalances({ balances, changeLabel }: ReviewBalancesProps) {
  const hasFollows = balances.some((row) => row.followsInCents !== 0);
  return (
    <Table
      caption="Balances before and after"
      rows={balances}
      keyOf={({ accountId, name }) => accountId ?? name}
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
        },
        { head: "Now", kind: "MONEY", cell: ({ nowInCents }) => <Amount cents={nowInCents} quiet /> },
        {
          head: "Marked before",
          kind: "MONEY",
          phone: "BELOW",
          cell: ({ beforeInCents }) => <Change cents={beforeInCents} />,
          below: ({ beforeInCents }) =>
            beforeInCents === 0 ? null : `${formatCents(beforeInCents, "whenPositive")} marked before`,
        },
        {
          head: changeLabel,
          kind: "MONEY",
          phone: "BELOW",
          cell: ({ changeInCents }) => <Change cents={changeInCents} />,
          below: ({ changeInCents }) =>
            changeInCents === 0 ? null : `${formatCents(changeInCents, "whenPositive")} now`,
        },
        hasFollows && {
          head: "Then by rule",
          kind: "MONEY",
          phone: "HIDDEN",
          cell: ({ followsInCents }) => <Change cents={followsInCents} />,
        },
        { head: "After", kind: "MONEY", cell: ({ afterInCents }) => afterInCents },
      ]}
    />
  );
}

function Change({ cents }: { cents: number }) {
  return cents === 0 ? <span className="text-ink-3">–</span> : <Amount cents={cents} plus="whenPositive" />;
}
