import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { FREQUENCY_WORDS, percent } from "@/components/profile/profile-words";
import { formatDate } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { CATEGORY_WORDS } from "@/lib/contract/category-words";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import type { ProfileView } from "@/lib/contract/views/profile-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** More of a kind than this are told as one row: the tables stay readable, and their totals whole. */
const SHOWN = 12;

/** Who pays, how often, and how much each time. */
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
        <Empty title="No payer recurs yet">One who pays three times is listed here, with their rhythm.</Empty>
      ) : (
        <table className="ledger tight">
          <caption className="vh">Who pays, how often, and how much</caption>
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

/** What is paid again and again, and whether its price has changed. */
export function RecurringBills({ view: { profile, time } }: { view: ProfileView }) {
  const { items, monthlyTotalInCents } = profile.recurringBills;
  return (
    <section aria-labelledby="bills">
      <Head
        id="bills"
        title="Recurring bills"
        fact={items.length === 0 ? null : `${percent(monthlyShare(profile))} of what is spent in a month`}
      />
      {items.length === 0 ? (
        <Empty title="No bill recurs yet">
          A charge that comes three times in a rhythm is listed here, and marked when its price changes.
        </Empty>
      ) : (
        <table className="ledger tight">
          <caption className="vh">Bills that recur, when the next one comes, and how much it is</caption>
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

/** Of what is spent in the window, told by the month. */
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
