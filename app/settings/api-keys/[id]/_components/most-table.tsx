"use client";

import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Ledger } from "@/components/ui/ledger";
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
      <Ledger>
        <caption className="sr-only">Maximum per day</caption>
        <thead>
          <tr>
            <th scope="col">{most.rules.length > 0 ? "Route or rule" : "Route"}</th>
            <th scope="col" className="max-sm:not-print:hidden!">
              Because
            </th>
            <th scope="col" className="number">
              At most
            </th>
          </tr>
        </thead>
        <tbody>
          {most.rows.map((row) => (
            <MostRow
              key={`${row.sourceName} ${row.destinationName} ${row.limitInCents}`}
              row={row}
              asks={transfers?.approval.required ?? false}
            />
          ))}
          {most.rules.map((row) => (
            <MostRuleRow key={row.id} row={row} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">At most in a day</th>
            <td className="max-sm:not-print:hidden! text-sm text-ink-3">{totalWords(most)}</td>
            <td className="number">
              <Amount cents={most.totalInCents} />
            </td>
          </tr>
        </tfoot>
      </Ledger>
    </Section>
  );
}

function askedWords(...starts: (PermissionOf<"MANUAL_TRANSFER" | "TRIGGER_RULES"> | null)[]): string {
  const asked = starts.flatMap((permission) => (permission ? [permission.approval.required] : []));
  if (asked.every((isAsked) => isAsked)) return "If you approved everything it proposed";
  return asked.some((isAsked) => isAsked) ? "Partly without approval" : "Without approval";
}

function MostRuleRow({ row }: { row: MostRuleRowView }) {
  const words = ruleReasonWords(row);
  return (
    <tr>
      <td>
        <Link href={row.href}>{row.name}</Link>
        <span className={SUBLINE}>
          {row.setOffAtName === null
            ? oneRunWords(row)
            : `Rule triggered by money arriving in ${row.setOffAtName}`}
        </span>
        <span className={`${SUBLINE} sm:hidden! print:hidden!`}>{words}</span>
      </td>
      <td className="max-sm:not-print:hidden! text-sm text-ink-3">{words}</td>
      <td className="number">
        {row.reason.kind === "SHARED" || row.reason.kind === "IMPOSSIBLE" ? (
          <span className="text-ink-3" aria-hidden="true">
            –
          </span>
        ) : (
          <Amount cents={row.inCents} />
        )}
      </td>
    </tr>
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

function MostRow({ row, asks }: { row: MostRowView; asks: boolean }) {
  const isPossible = row.reason.kind !== "IMPOSSIBLE";
  const state = isPossible ? (asks ? "closed" : "open") : "skipped";
  return (
    <tr>
      <td>
        <Flow from={row.sourceName} to={row.destinationName ?? "Any account"} state={state} layout="column" />
        <span className={`${SUBLINE} sm:hidden! print:hidden!`}>{reasonWords(row)}</span>
      </td>
      <td className="max-sm:not-print:hidden! text-sm text-ink-3">{reasonWords(row)}</td>
      <td className="number">
        {row.reason.kind === "SHARED" || !isPossible ? (
          <span className="text-ink-3" aria-hidden="true">
            –
          </span>
        ) : (
          <Amount cents={row.inCents} />
        )}
      </td>
    </tr>
  );
}

function reasonWords({ reason, sourceName, limitInCents }: MostRowView): string {
  const each = limitInCents === null ? "" : `, ${formatCents(limitInCents)} at a time`;
  switch (reason.kind) {
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

function totalWords({ leavesInCents, moreRows, moreRules }: MostView): string {
  const more = [
    moreRows > 0 ? `Including ${moreRows} more routes. ` : "",
    moreRules > 0 ? `Including ${moreRules} more rules. ` : "",
  ].join("");
  if (leavesInCents === null) return `${more}Some balances are unknown`;
  return `${more}${leavesInCents === 0 ? "None of it would leave Sluice" : `${formatCents(leavesInCents)} of it could leave Sluice`}`;
}
