import { Amount } from "@/components/money/amount";
import type { InSluiceView } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountsView } from "@/lib/views/accounts/read-accounts-page";

/** The label of the total, the same on every page: `In Sluice, across 6 accounts`. */
export function inSluiceWords({ accountCount, closedInCents }: InSluiceView): string {
  const across = `In Sluice, across ${countWords(accountCount)}`;
  return closedInCents === 0 ? across : `${across} and ${formatCents(closedInCents)} in closed ones`;
}

function countWords(count: number): string {
  return `${count} ${count === 1 ? "account" : "accounts"}`;
}

/** What the accounts page lists besides the total, and that it is not part of it. */
export function BesideSluice({ view }: { view: AccountsView }) {
  const { counts, outsideTotalInCents, owedTotalInCents } = view;
  if (counts.outside + counts.owed === 0) return null;
  return (
    <p className="text-ink-2">
      Not in this total:{" "}
      {counts.outside > 0 ? (
        <>
          <Balance cents={outsideTotalInCents} /> outside Sluice in {countWords(counts.outside)}
        </>
      ) : null}
      {counts.outside > 0 && counts.owed > 0 ? ", and " : null}
      {counts.owed > 0 ? (
        <>
          <Balance cents={owedTotalInCents} /> owed on {countWords(counts.owed)}
        </>
      ) : null}
      .
    </p>
  );
}

function Balance({ cents }: { cents: number | null }) {
  return cents === null ? <>an unknown amount</> : <Amount cents={cents} />;
}
