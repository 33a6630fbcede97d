import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { formatDate } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AskedMandateView } from "@/lib/views/mandates/read-mandate-page";

interface BacktestProps {
  backtest: AskedMandateView["backtest"];
  time: TimeContext;
}

/** Listed before they are only counted. */
const LISTED_WAITING = 12;

/** What a mandate would have accepted in the last 90 days, and what would have waited anyway. */
export function Backtest({ backtest, time }: BacktestProps) {
  const { transferCount, accepted, months, waiting, today } = backtest;
  const proposals = (count: number) => (count === 1 ? "1 proposal" : `${count} proposals`);
  const sum = waiting.reduce((total, { amountInCents }) => total + amountInCents, 0);
  const shown = waiting.slice(-LISTED_WAITING);
  return (
    <Section
      id="backtest"
      title="In the last 90 days"
      fact={transferCount === 0 ? null : `${proposals(transferCount)} on this route`}
    >
      {transferCount === 0 ? (
        <p className="mt-3.5 text-ink-2">The key proposed nothing on this route.</p>
      ) : (
        <Table
          caption="What it would have accepted"
          rows={months}
          keyOf={({ month }) => month}
          columns={[
            {
              head: "Month",
              header: true,
              cell: ({ month }) => monthWords(month, today),
              foot: "Without asking",
            },
            { head: "Accepted", kind: "NUMBER", cell: ({ count }) => count, foot: accepted.count },
            {
              head: "Amount",
              kind: "MONEY",
              cell: ({ inCents }) => inCents,
              foot: <Amount cents={accepted.inCents} />,
            },
          ]}
        />
      )}
      {waiting.length === 0 ? null : (
        <Table
          className="mt-6"
          caption="What would have waited"
          rows={shown}
          columns={[
            {
              head: "Would have waited",
              header: true,
              cell: ({ on }) => formatDate(on, time),
              foot: "Together",
            },
            {
              head: "Because",
              columnClass: "text-ink-2",
              cell: ({ because }) => because,
              foot: <span className="font-normal">{proposals(waiting.length)}</span>,
            },
            {
              head: "Amount",
              kind: "MONEY",
              cell: ({ amountInCents }) => amountInCents,
              foot: <Amount cents={sum} />,
            },
          ]}
        />
      )}
      {waiting.length > shown.length ? (
        <p className="mt-2 text-sm text-ink-3">The latest {shown.length} are listed.</p>
      ) : null}
    </Section>
  );
}

/** `September`; the month that has not ended says how far it goes: `November, to the 20th`. */
function monthWords(month: string, today: string): string {
  const name = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" }).format(
    new Date(`${month}-15T00:00:00Z`),
  );
  return today.startsWith(month) ? `${name}, to the ${ordinal(Number(today.slice(8)))}` : name;
}

function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}
