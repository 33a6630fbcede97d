import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { FREQUENCY_WORDS, percent } from "@/components/profile/profile-words";
import { formatDate } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { CATEGORY_WORDS, type ProfileView } from "@/lib/contract/views/profile-view";

import type { TimeContext } from "@/lib/contract/views/time-context";

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
        <table className="ledger tight">
          <caption className="vh">Payers, frequencies and amounts</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Pays</th>
              <th scope="col" className="num">
                Each time
              </th>
            </tr>
          </thead>
          <tbody>
            {streams.slice(0, SHOWN).map((stream) => (
              <tr key={`${stream.name} ${stream.lastDate}`}>
                <th scope="row">{stream.name}</th>
                <td className="ink2">{paysWords(stream, time)}</td>
                <td className="num">
                  <Amount cents={stream.averageInCents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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
  return nextExpectedDate === null
    ? FREQUENCY_WORDS[frequency]
    : `${FREQUENCY_WORDS[frequency]}, next ${formatDate(nextExpectedDate, time)}`;
}

/** Recurring bills, with price changes. */
export function RecurringBills({ view: { profile, time } }: { view: ProfileView }) {
  const { items, monthlyTotalInCents } = profile.recurringBills;
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
        <table className="ledger tight">
          <caption className="vh">Recurring bills with next date and amount</caption>
          <thead>
            <tr>
              <th scope="col">Bill</th>
              <th scope="col">Next</th>
              <th scope="col" className="num">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, SHOWN).map((bill) => (
              <tr key={`${bill.name} ${bill.lastDate}`}>
                <th scope="row">
                  {bill.name}
                  <span className="meta blk">{CATEGORY_WORDS[bill.category]}</span>
                </th>
                <td className="ink2">{nextWords(bill, time)}</td>
                <td className="num">
                  <Amount cents={bill.averageInCents} />
                  <PriceChange cents={bill.priceChangeInCents} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Each month{items.length > SHOWN ? `, ${items.length} bills` : null}</th>
              <td />
              <td className="num">
                <Amount cents={monthlyTotalInCents} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}

/** Share of the window's spending, per month. */
function monthlyShare({ recurringBills, cashFlow, window }: FinancialProfile): number {
  const days = Math.max(1, (Date.parse(window.to) - Date.parse(window.from)) / 86_400_000);
  const spent = cashFlow.months.reduce((sum, month) => sum + month.outInCents, 0);
  const aMonth = (spent * 30.4375) / days;
  return aMonth > 0 ? Math.min(1, recurringBills.monthlyTotalInCents / aMonth) : 0;
}

function nextWords(
  { frequency, status, nextExpectedDate, lastDate }: FinancialProfile["recurringBills"]["items"][number],
  time: TimeContext,
): string {
  if (status === "ENDED") return `Ended, last ${formatDate(lastDate, time)}`;
  return nextExpectedDate === null ? FREQUENCY_WORDS[frequency] : formatDate(nextExpectedDate, time);
}

function PriceChange({ cents }: { cents: number }) {
  if (cents === 0) return null;
  return (
    <span className="meta blk">
      {cents > 0 ? "up " : "down "}
      <Amount cents={Math.abs(cents)} />
    </span>
  );
}

function Head({ id, title, fact }: { id: string; title: string; fact: ReactNode }) {
  return (
    <div className="sec-h">
      <h2 className="h2" id={id}>
        {title}
      </h2>
      {fact === null ? null : <p>{fact}</p>}
    </div>
  );
}
