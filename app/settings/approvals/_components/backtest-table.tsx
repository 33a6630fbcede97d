"use client";

import { HeldBack } from "@/app/settings/approvals/_components/held-back";
import { Table } from "@/components/layout/table";
import { Phrases } from "@/components/parts/sentences/phrases";
import type { TestedPolicy } from "@/lib/views/policies/check-policy";
import { CHANGES_UNKNOWN, changeWords } from "@/lib/words/policies/backtest-words";

interface Versions {
  version: number;
  inForceVersion: number;
}

interface BacktestTableProps extends Versions {
  rows: TestedPolicy["rows"];
  count: number;
  noun: "Proposals" | "Changes";
}

/** What each rule matched, before and after. */
export function BacktestTable({ rows, count, noun, version, inForceVersion }: BacktestTableProps) {
  return (
    <Table
      caption={`${noun} of the last 90 days by rule`}
      rows={rows}
      keyOf={({ name }) => name ?? ""}
      className="[&_tbody_td]:py-2! [&_tbody_th]:py-2!"
      columns={[
        { head: "Rule", header: true, cell: ({ name }) => name ?? "Otherwise", foot: noun },
        {
          head: inForceVersion === 0 ? "Today" : `Version ${inForceVersion}`,
          kind: "NUMBER",
          cell: ({ before }) => <Count count={before} />,
          foot: count,
        },
        {
          head: `Version ${version}`,
          kind: "NUMBER",
          cell: ({ after }) => <Count count={after} />,
          foot: count,
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

/** Payees, rules, limits and keys by rule, what would have been held back, and what the history does not tell. */
export function ChangesTested({ changes, ...versions }: Pick<TestedPolicy, "changes"> & Versions) {
  return (
    <>
      {changes.count > 0 ? (
        <div className="mt-6">
          <BacktestTable rows={changes.rows} count={changes.count} noun="Changes" {...versions} />
        </div>
      ) : null}
      <p className="mt-3.5 text-ink-2">
        <Phrases phrases={changes.says} />
      </p>
      <HeldBack heldBack={changes.heldBack} count={changes.heldBackCount} />
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
