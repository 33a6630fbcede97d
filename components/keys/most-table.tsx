import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { MostRowView, MostView } from "@/lib/contract/views/keys-view";

/** The most that a key could move in a day, route by route, the same money counted once. */
export function MostTable({ most, asks }: { most: MostView; asks: boolean }) {
  return (
    <Section
      id="most"
      title="Most that could move in a day"
      fact={asks ? "If you approved everything it may ask" : "Without anybody being asked"}
    >
      <table className="ledger tight">
        <caption className="vh">Most that could move in a day</caption>
        <thead>
          <tr>
            <th scope="col">Route</th>
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
              asks={asks}
            />
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

function totalWords({ leavesInCents, moreRows }: MostView): string {
  const more = moreRows > 0 ? `With ${moreRows} more routes. ` : "";
  if (leavesInCents === null) return `${more}Not all balances are known`;
  return `${more}${leavesInCents === 0 ? "None of it leaves Sluice" : `${formatCents(leavesInCents)} of it could leave Sluice`}`;
}
