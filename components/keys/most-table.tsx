import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { Permission, PermissionOf } from "@/lib/contract/permissions";
import type { MostRowView, MostRuleRowView, MostView } from "@/lib/contract/views/keys-view";
import { joinWords } from "@/lib/engine/words/key-phrases";
import { findPermission } from "@/lib/engine/words/key-powers";

interface MostTableProps {
  most: MostView;
  permissions: readonly Permission[];
  /** What bounds it where nobody is asked; null: nothing besides. */
  dailyCapInCents: number | null;
}

/** The most that a key could move in a day, with the rules that follow, the same money counted once. */
export function MostTable({ most, permissions, dailyCapInCents }: MostTableProps) {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  const runs = findPermission(permissions, "TRIGGER_RULES");
  return (
    <Section
      id="most"
      title={
        most.rules.length > 0
          ? "Most that could move in a day, with rules that follow"
          : "Most that could move in a day"
      }
      fact={
        dailyCapInCents === null
          ? askedWords(transfers, runs)
          : `Beyond ${formatCents(dailyCapInCents)} a day only if a person approves it`
      }
    >
      <table className="ledger tight">
        <caption className="vh">Most that could move in a day</caption>
        <thead>
          <tr>
            <th scope="col">{most.rules.length > 0 ? "Route or rule" : "Route"}</th>
            <th scope="col" className="hide-s">
              Because
            </th>
            <th scope="col" className="num">
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
            <td className="hide-s meta">{totalWords(most)}</td>
            <td className="num">
              <Amount cents={most.totalInCents} />
            </td>
          </tr>
        </tfoot>
      </table>
    </Section>
  );
}

/** Whether all of it waits for a person, none of it, or a part. */
function askedWords(...starts: (PermissionOf<"MANUAL_TRANSFER" | "TRIGGER_RULES"> | null)[]): string {
  const asked = starts.flatMap((permission) => (permission ? [permission.approval.required] : []));
  if (asked.every((isAsked) => isAsked)) return "If you approved everything it may ask";
  return asked.some((isAsked) => isAsked)
    ? "A part of it without anybody being asked"
    : "Without anybody being asked";
}

function MostRuleRow({ row }: { row: MostRuleRowView }) {
  const words = ruleReasonWords(row);
  return (
    <tr>
      <td>
        <Link href={row.href}>{row.name}</Link>
        <span className="meta blk">
          {row.setOffAtName === null
            ? oneRunWords(row)
            : `A rule that money arriving in ${row.setOffAtName} sets off`}
        </span>
        <span className="meta blk only-s">{words}</span>
      </td>
      <td className="hide-s meta">{words}</td>
      <td className="num">
        {row.reason.kind === "SHARED" || row.reason.kind === "IMPOSSIBLE" ? (
          <span className="dash" aria-hidden="true">
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
    ? "A rule that it runs"
    : `A rule that it runs: one run would move ${formatCents(oneRunInCents)} now`;
}

/** Why a rule gives what it gives. */
export function ruleReasonWords({ reason }: MostRuleRowView): string {
  switch (reason.kind) {
    case "ALL":
      return `Run often enough, all that ${joinWords(reason.sourceNames)} may give`;
    case "LIMITED":
      return "Its limits for a day or longer end it there";
    case "SHARED":
      return "Shares money that is counted above";
    case "NOT_KNOWN":
      return "What it takes from is not known";
    case "IMPOSSIBLE":
      return "No money can go where it would send it";
  }
}

function MostRow({ row, asks }: { row: MostRowView; asks: boolean }) {
  const isPossible = row.reason.kind !== "IMPOSSIBLE";
  const state = isPossible ? (asks ? "closed" : "open") : "skipped";
  return (
    <tr>
      <td>
        <Flow from={row.sourceName} to={row.destinationName ?? "Any account"} state={state} />
        <span className="meta blk only-s">{reasonWords(row)}</span>
      </td>
      <td className="hide-s meta">{reasonWords(row)}</td>
      <td className="num">
        {row.reason.kind === "SHARED" || !isPossible ? (
          <span className="dash" aria-hidden="true">
            –
          </span>
        ) : (
          <Amount cents={row.inCents} />
        )}
      </td>
    </tr>
  );
}

/** Why a route gives what it gives. */
export function reasonWords({ reason, sourceName, limitInCents }: MostRowView): string {
  const each = limitInCents === null ? "" : `, ${formatCents(limitInCents)} at a time`;
  switch (reason.kind) {
    case "ALL":
      return `All that ${sourceName} holds${each}`;
    case "ABOVE_FLOOR":
      return `Down to the floor of ${formatCents(reason.floorInCents)}${each}`;
    case "SHARED":
      return `Shares the money of ${sourceName} above`;
    case "NOT_KNOWN":
      return `What ${sourceName} holds is not known`;
    case "IMPOSSIBLE":
      return IMPOSSIBLE_WORDS[reason.side];
  }
}

const IMPOSSIBLE_WORDS = {
  SOURCE: "No money can be taken from there",
  DESTINATION: "No money can go there",
  BOTH_OUTSIDE: "Sluice moves nothing between two accounts outside it",
} as const;

function totalWords({ leavesInCents, moreRows, moreRules }: MostView): string {
  const more = [
    moreRows > 0 ? `With ${moreRows} more routes. ` : "",
    moreRules > 0 ? `With ${moreRules} more rules. ` : "",
  ].join("");
  if (leavesInCents === null) return `${more}Not all balances are known`;
  return `${more}${leavesInCents === 0 ? "None of it leaves Sluice" : `${formatCents(leavesInCents)} of it could leave Sluice`}`;
}
