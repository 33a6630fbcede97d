import type { ReactNode } from "react";
import { aMonth, FREQUENCY_WORDS, percent, spentIn } from "@/app/profile/_components/profile-words";
import { SECTION_HEAD } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { formatDate } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { monthlyAmount } from "@/lib/contract/monthly-amount";
import type { TimeContext } from "@/lib/contract/time-context";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { ProfileView } from "@/lib/views/read-profile-page";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

/** Further rows are summed up in one, so tables stay short and totals complete. */
const SHOWN = 12;

/** Income streams: payer, frequency, and amount. */
export function IncomeStreams({ view: { profile, time } }: { view: ProfileView }) {
  const { streams, totalInCents } = profile.income;
  return (
    <section aria-labelledby="income">
      <Head
        id="income"
        title="Income"
        fact={
          <>
            <Amount cents={totalInCents} /> in all
          </>
        }
      />
      {streams.length === 0 ? (
        <Empty title="No recurring income yet">Payers appear here after three payments.</Empty>
      ) : (
        <Table
          caption="Payers, frequencies and amounts"
          rows={streams.slice(0, SHOWN)}
          keyOf={(stream) => `${stream.name} ${stream.lastDate}`}
          columns={[
            { head: "From", header: true, cell: ({ name }) => name },
            { head: "Pays", className: "text-ink-2", cell: (stream) => paysWords(stream, time) },
            { head: "Each time", kind: "MONEY", cell: ({ averageInCents }) => averageInCents },
          ]}
        />
      )}
    </section>
  );
}

/** `Monthly, next 1 Dec` */
function paysWords(
  { frequency, status, nextExpectedDate, lastDate }: FinancialProfile["income"]["streams"][number],
  time: TimeContext,
): string {
  if (status === "ENDED") return `Ended, last ${formatDate(lastDate, time)}`;
  if (nextExpectedDate === null) return FREQUENCY_WORDS[frequency];
  const next = isOver(nextExpectedDate, time)
    ? `expected ${formatDate(nextExpectedDate, time)}, not seen yet`
    : `next ${formatDate(nextExpectedDate, time)}`;
  return `${FREQUENCY_WORDS[frequency]}, ${next}`;
}

/** A stream stays active for some days after the date, in case the payment is only late. */
function isOver(date: string, { nowAt, timeZone }: TimeContext): boolean {
  return date < calendarDate(new Date(nowAt), timeZone);
}

type Bill = FinancialProfile["recurringBills"]["items"][number];

/** Recurring bills, with price changes. The last column adds up to the total. */
export function RecurringBills({ view: { profile, time } }: { view: ProfileView }) {
  const { items, monthlyTotalInCents } = profile.recurringBills;
  const sorted = [...items].sort((one, other) => monthlyAmount(other) - monthlyAmount(one));
  const shown = sorted.slice(0, SHOWN);
  const rest = sorted.slice(SHOWN);
  return (
    <section aria-labelledby="bills">
      <Head
        id="bills"
        title="Recurring bills"
        fact={items.length === 0 ? null : `${percent(monthlyShare(profile))} of monthly spending`}
      />
      {items.length === 0 ? (
        <Empty title="No recurring bills yet">
          Charges appear here after three regular payments, with any price change.
        </Empty>
      ) : (
        <Table
          caption="Recurring bills with next date and amount"
          rows={rest.length > 0 ? [...shown, { more: rest }] : shown}
          keyOf={(row) => ("more" in row ? "more" : `${row.name} ${row.averageInCents} ${row.lastDate}`)}
          columns={[
            {
              head: "Bill",
              header: true,
              cell: (row) => <BillName row={row} />,
              foot: "Each month",
            },
            {
              head: "Next",
              className: "text-ink-2",
              cell: (row) => ("more" in row ? null : <NextBill bill={row} time={time} />),
            },
            {
              head: "Per month",
              kind: "MONEY",
              cell: (row) => <BillAmount row={row} />,
              foot: <Amount cents={monthlyTotalInCents} />,
            },
          ]}
        />
      )}
    </section>
  );
}

/** A bill, or those that are not listed. */
type BillRow = Bill | { more: readonly Bill[] };

function BillName({ row }: { row: BillRow }) {
  if ("more" in row) return `${row.more.length} more ${row.more.length === 1 ? "bill" : "bills"}`;
  return (
    <>
      {row.name}
      <span className={SUBLINE}>{CATEGORY_WORDS[row.category]}</span>
    </>
  );
}

function NextBill({ bill, time }: { bill: Bill; time: TimeContext }) {
  const { frequency, status, averageInCents } = bill;
  return (
    <>
      {nextWords(bill, time)}
      {frequency === "MONTHLY" || status === "ENDED" ? null : (
        <span className={SUBLINE}>
          {FREQUENCY_WORDS[frequency]}, <Amount cents={averageInCents} /> each
        </span>
      )}
    </>
  );
}

function BillAmount({ row }: { row: BillRow }) {
  if ("more" in row) return <Amount cents={row.more.reduce((sum, bill) => sum + monthlyAmount(bill), 0)} />;
  return (
    <>
      <Amount cents={monthlyAmount(row)} />
      <PriceChange cents={row.priceChangeInCents} />
    </>
  );
}

/** The same monthly spending as at the top of the page. */
function monthlyShare({ recurringBills, categoryBreakdown, window }: FinancialProfile): number {
  const spent = aMonth(spentIn(categoryBreakdown), window);
  return spent > 0 ? Math.min(1, recurringBills.monthlyTotalInCents / spent) : 0;
}

function nextWords({ frequency, status, nextExpectedDate, lastDate }: Bill, time: TimeContext): string {
  if (status === "ENDED") return `Ended, last ${formatDate(lastDate, time)}`;
  if (nextExpectedDate === null) return FREQUENCY_WORDS[frequency];
  const next = formatDate(nextExpectedDate, time);
  return isOver(nextExpectedDate, time) ? `Expected ${next}, not seen yet` : next;
}

function PriceChange({ cents }: { cents: number }) {
  if (cents === 0) return null;
  return (
    <span className={SUBLINE}>
      {cents > 0 ? "up " : "down "}
      <Amount cents={Math.abs(cents)} />
    </span>
  );
}

function Head({ id, title, fact }: { id: string; title: string; fact: ReactNode }) {
  return (
    <div className={SECTION_HEAD}>
      <h2 className={SECTION_TITLE} id={id}>
        {title}
      </h2>
      {fact === null ? null : <p>{fact}</p>}
    </div>
  );
}
