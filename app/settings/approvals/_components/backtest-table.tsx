"use client";

import { Table } from "@/components/layout/table";
import { Phrases } from "@/components/parts/sentences/phrases";
import type { CheckedPolicy } from "@/lib/views/policies/check-policy";
import { CHANGES_UNKNOWN, changeWords } from "@/lib/words/policies/backtest-words";

interface BacktestTableProps {
  checked: Pick<CheckedPolicy, "rows" | "proposalCount">;
  version: number;
  inForceVersion: number;
}

/** What each rule matched, before and after. */
export function BacktestTable({ checked, version, inForceVersion }: BacktestTableProps) {
  return (
    <Table
      caption="Proposals of the last 90 days by rule"
      rows={checked.rows}
      keyOf={({ name }) => name ?? ""}
      className="[&_tbody_td]:py-2! [&_tbody_th]:py-2!"
      columns={[
        { head: "Rule", header: true, cell: ({ name }) => name ?? "Otherwise", foot: "Proposals" },
        {
          head: inForceVersion === 0 ? "Today" : `Version ${inForceVersion}`,
          kind: "NUMBER",
          cell: ({ before }) => <Count count={before} />,
          foot: checked.proposalCount,
        },
        {
          head: `Version ${version}`,
          kind: "NUMBER",
          cell: ({ after }) => <Count count={after} />,
          foot: checked.proposalCount,
        },
        {
          head: "Change",
          kind: "NUMBER",
          cell: ({ before, after }) => changeWords(before, after) ?? <Dash />,
          foot: 0,
        },
      ]}
    />
  );
}

/** What of payees, rules, limits and keys it would have held back, and what the history does not tell. */
export function ChangesTested({ checked: { changesSay } }: { checked: Pick<CheckedPolicy, "changesSay"> }) {
  return (
    <>
      <p className="mt-3.5 text-ink-2">
        <Phrases phrases={changesSay} />
      </p>
      <p className="mt-1 text-sm text-ink-3">{CHANGES_UNKNOWN}</p>
    </>
  );
}

function Count({ count }: { count: number | null }) {
  return count === null ? <Dash /> : count;
}

function Dash() {
  return <span className="text-ink-3">–</span>;
}
