"use client";

import type { ReactElement } from "react";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { Link } from "@/components/ui/link";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { MostRuleRowView } from "@/lib/contract/keys/key-facts";
import type { Permission, PermissionOf } from "@/lib/contract/permissions";
import type { MostRowView, MostView } from "@/lib/views/keys/most-that-could-move";
import { joinWords } from "@/lib/words/keys/key-phrases";
import { findPermission } from "@/lib/words/keys/key-powers";

interface MostTableProps {
  most: MostView;
  permissions: readonly Permission[];
  /** Null: no cap. */
  dailyCapInCents: number | null;
}

/** The most that a key could move in a day, including rules it triggers; no money is counted twice. */
export function MostTable({ most, permissions, dailyCapInCents }: MostTableProps) {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  const runs = findPermission(permissions, "TRIGGER_RULES");
  const asks = transfers?.approval.required ?? false;
  const rows: MostRow[] = [...most.rows.map((route) => ({ route })), ...most.rules.map((rule) => ({ rule }))];
  return (
    <Section
      id="most"
      title={most.rules.length > 0 ? "Maximum per day, including rules it triggers" : "Maximum per day"}
      fact={
        dailyCapInCents === null
          ? askedWords(transfers, runs)
          : `More than ${formatCents(dailyCapInCents)} within 24 hours needs approval`
      }
    >
      <Table
        caption="Maximum per day"
        rows={rows}
        keyOf={keyOf}
        columns={[
          {
            head: most.rules.length > 0 ? "Route or rule" : "Route",
            cell: (row) =>
              "rule" in row ? <RuleName row={row.rule} /> : <Route row={row.route} asks={asks} />,
            foot: "At most in a day",
          },
          {
            head: "Because",
            phone: "BELOW",
            columnClass: "text-sm text-ink-3",
            cell: (row) => ("rule" in row ? ruleReasonWords(row.rule) : reasonWords(row.route)),
            foot: totalWords(most),
          },
          {
            head: "At most",
            kind: "MONEY",
            cell: atMost,
            foot: <Amount cents={most.totalInCents} />,
          },
        ]}
      />
    </Section>
  );
}

function askedWords(...starts: (PermissionOf<"MANUAL_TRANSFER" | "TRIGGER_RULES"> | null)[]): string {
  const asked = starts.flatMap((permission) => (permission ? [permission.approval.required] : []));
  if (asked.every((isAsked) => isAsked)) return "If you approved everything it proposed";
  return asked.some((isAsked) => isAsked) ? "Partly without approval" : "Without approval";
}

type MostRow = { route: MostRowView } | { rule: MostRuleRowView };

function keyOf(row: MostRow): string {
  if ("rule" in row) return row.rule.id;
  const { sourceName, destinationName, limitInCents, reason } = row.route;
  return `${sourceName} ${destinationName} ${limitInCents} ${reason.kind === "MANDATE"}`;
}

/** A dash where nothing is added to the total. */
function atMost(row: MostRow): number | null | ReactElement {
  const { reason, inCents } = "rule" in row ? row.rule : row.route;
  if (reason.kind !== "SHARED" && reason.kind !== "IMPOSSIBLE") return inCents;
  return (
    <span className="text-ink-3" aria-hidden="true">
      –
    </span>
  );
}

function RuleName({ row }: { row: MostRuleRowView }) {
  return (
    <>
      <Link href={row.href}>{row.name}</Link>
      <span className={SUBLINE}>
        {row.setOffAtName === null
          ? oneRunWords(row)
          : `Rule triggered by money arriving in ${row.setOffAtName}`}
      </span>
    </>
  );
}

function oneRunWords({ oneRunInCents }: MostRuleRowView): string {
  return oneRunInCents === null
    ? "Rule that it can run"
    : `Rule that it can run: one run would move ${formatCents(oneRunInCents)} now`;
}

function ruleReasonWords({ reason }: MostRuleRowView): string {
  switch (reason.kind) {
    case "ALL":
      return `Repeated runs could take all that ${joinWords(reason.sourceNames)} can give`;
    case "LIMITED":
      return "Capped by its daily or longer limits";
    case "SHARED":
      return "Already counted above";
    case "NOT_KNOWN":
      return "Source balance unknown";
    case "IMPOSSIBLE":
      return "Destination cannot receive money";
  }
}

function Route({ row, asks }: { row: MostRowView; asks: boolean }) {
  return (
    <Flow
      from={row.sourceName}
      to={row.destinationName ?? "Any account"}
      state={gateOf(row, asks)}
      layout="column"
    />
  );
}

function gateOf({ reason }: MostRowView, asks: boolean): SluiceState {
  if (reason.kind === "IMPOSSIBLE") return "skipped";
  if (reason.kind === "MANDATE") return "queued";
  return asks ? "closed" : "open";
}

function reasonWords({ reason, sourceName, limitInCents }: MostRowView): string {
  const each = limitInCents === null ? "" : `, ${formatCents(limitInCents)} at a time`;
  switch (reason.kind) {
    case "MANDATE":
      return "By itself, under a mandate";
    case "ALL":
      return `All that ${sourceName} holds${each}`;
    case "ABOVE_FLOOR":
      return `Down to the floor of ${formatCents(reason.floorInCents)}${each}`;
    case "SHARED":
      return `${sourceName} is already counted above`;
    case "NOT_KNOWN":
      return `Balance of ${sourceName} unknown`;
    case "IMPOSSIBLE":
      return IMPOSSIBLE_WORDS[reason.side];
  }
}

const IMPOSSIBLE_WORDS = {
  SOURCE: "Source cannot send money",
  DESTINATION: "Destination cannot receive money",
  BOTH_OUTSIDE: "Sluice cannot move money between two external accounts",
} as const;

function totalWords({ leavesInCents, moreRows, moreRules, byItselfInCents }: MostView): string {
  const more = [
    byItselfInCents > 0 ? `${formatCents(byItselfInCents)} of it under mandates, without asking. ` : "",
    moreRows > 0 ? `Including ${moreRows} more routes. ` : "",
    moreRules > 0 ? `Including ${moreRules} more rules. ` : "",
  ].join("");
  if (leavesInCents === null) return `${more}Some balances are unknown`;
  return `${more}${leavesInCents === 0 ? "None of it would leave Sluice" : `${formatCents(leavesInCents)} of it could leave Sluice`}`;
}
