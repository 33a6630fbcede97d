import { ChevronRight, FlaskConical } from "lucide-react";
import { PrintButton } from "@/components/accounts/print-button";
import { Amount } from "@/components/money/amount";
import { formatDay, formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type {
  AccountPageKind,
  StatementBooks,
  StatementRowView,
  StatementView,
} from "@/lib/contract/views/account-page-view";

import type { TimeContext } from "@/lib/contract/views/time-context";

/** The statement of an account, also for print. */
export function Statement({ view }: { view: StatementView }) {
  const { account, books } = view;
  return (
    <div className="stmt">
      <p className="crumb">
        <Link href="/accounts">Accounts</Link>
        <ChevronRight className="ic" />
        <Link href={account.href}>{account.name}</Link>
        <ChevronRight className="ic" />
        <span>Statement</span>
      </p>
      <div className="page-h">
        <div>
          <p className="lbl">{view.organizationName}</p>
          <h1 className="h1">Statement of {account.name}</h1>
          <p className="lede">
            {periodWords(view)}
            {view.isUnfinished ? ". The period is not over yet" : null}.
          </p>
        </div>
        {books ? (
          <div className="page-a">
            <PrintButton />
          </div>
        ) : null}
      </div>
      <Months months={view.months} />
      <Facts view={view} />
      {books ? (
        <Books books={books} view={view} />
      ) : (
        <Note>
          {account.name} is outside Sluice, so it is not in these books. Its bank issues its statement.
        </Note>
      )}
      {view.isSandbox ? (
        <p className="stmt-sbx">
          <FlaskConical className="ic" />
          Sandbox bank: no real money. This is not a bank document.
        </p>
      ) : null}
    </div>
  );
}

/** `1 Nov 2026 to 30 Nov 2026`: calendar dates without a time zone. */
function periodWords({ period, time }: StatementView): string {
  const day = (date: string) => formatDay(`${date}T12:00:00Z`, { ...time, timeZone: "UTC" });
  return `${day(period.from)} to ${day(period.to)}`;
}

function Months({ months }: Pick<StatementView, "months">) {
  return (
    <nav className="stmt-m" aria-label="Months">
      {months.map(({ label, href, isCurrent }) => (
        <Link key={href} className="fchip" href={href} aria-current={isCurrent ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

const KIND_WORD: Record<AccountPageKind, string> = {
  POD: "Pod",
  INCOME_SOURCE: "Income source",
  DEPOSITORY: "Outside Sluice",
  INVESTMENT: "Outside Sluice",
  LIABILITY: "Owed",
};

function Facts({ view: { account, books } }: { view: StatementView }) {
  const facts: [string, string | null][] = [
    ["Account", `${account.name}, ${KIND_WORD[account.kind].toLowerCase()}`],
    ["Number", account.numberEnding && `••••${account.numberEnding}`],
    ["Beneficiary", account.ownerName],
    ["Bank", account.institutionName],
  ];
  return (
    <div className="stmt-f">
      <dl className="dl">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {books ? (
        <dl className="dl">
          <div>
            <dt>Opening balance</dt>
            <dd>
              <Amount cents={books.openingInCents} />
            </dd>
          </div>
          <div>
            <dt>Money in</dt>
            <dd>
              <Amount cents={books.inInCents} plus="whenPositive" />
            </dd>
          </div>
          <div>
            <dt>Money out</dt>
            <dd>
              <Amount cents={-books.outInCents} />
            </dd>
          </div>
          <div className="stmt-c">
            <dt>Closing balance</dt>
            <dd>
              <Amount cents={books.closingInCents} />
            </dd>
          </div>
        </dl>
      ) : null}
    </div>
  );
}

/** The movements of a statement between its opening and its closing balance. */
export function Books({ books, view }: { books: StatementBooks; view: Pick<StatementView, "time"> }) {
  return (
    <>
      {books.more ? (
        <Note>
          These are {books.count.toLocaleString("en-US")} movements;{" "}
          {books.more.whole ? "this page shows" : "a statement shows"} the first{" "}
          {books.rows.length.toLocaleString("en-US")}. Totals include all of them.{" "}
          {books.more.whole ? (
            <>
              <Link className="link" href={books.more.whole.href}>
                {wholeWords(books.count, books.more.whole.rowCount)}
              </Link>
              , or{" "}
            </>
          ) : null}
          <Link className="link" href={books.more.href}>
            {books.more.whole ? "see" : "See"} them in Movements, and export them as CSV
          </Link>
          .
        </Note>
      ) : null}
      <table className="ledger tight stmt-t">
        <caption className="vh">Booked movements in order, with the balance after each</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Movement</th>
            <th scope="col" className="num">
              In or out
            </th>
            <th scope="col" className="num stmt-b">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          <SumRow label="Opening balance" cents={books.openingInCents} />
          {books.rows.map((row) => (
            <MovementRow key={row.id} row={row} time={view.time} />
          ))}
          {books.count === 0 ? (
            <tr>
              <td />
              <td className="ink2" colSpan={3}>
                No movements.
              </td>
            </tr>
          ) : null}
          {books.more ? (
            <tr>
              <td />
              <td className="ink2">{books.more.count.toLocaleString("en-US")} more movements together</td>
              <td className="num">
                <Amount cents={books.more.netInCents} plus="whenPositive" />
              </td>
              <td className="num stmt-b">
                <Amount cents={books.closingInCents} quiet />
              </td>
            </tr>
          ) : null}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Closing balance
              <span className="meta blk stmt-s">
                <Amount cents={books.closingInCents} />
              </span>
            </th>
            <td className="num">
              <Amount cents={books.inInCents - books.outInCents} plus="whenPositive" />
            </td>
            <td className="num stmt-b">
              <Amount cents={books.closingInCents} />
            </td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function wholeWords(count: number, rowCount: number): string {
  const which = count > rowCount ? `the first ${rowCount.toLocaleString("en-US")}` : "all";
  return `Show ${which}, to print`;
}

function SumRow({ label, cents }: { label: string; cents: number }) {
  return (
    <tr>
      <td />
      <th scope="row">
        {label}
        <span className="meta blk stmt-s">
          <Amount cents={cents} />
        </span>
      </th>
      <td className="num" />
      <td className="num stmt-b">
        <Amount cents={cents} />
      </td>
    </tr>
  );
}

function MovementRow({ row, time }: { row: StatementRowView; time: TimeContext }) {
  return (
    <tr>
      <td className="meta stmt-d">
        <Moment at={row.at} time={time} format={formatShortDay} />
      </td>
      <td>
        {row.changeInCents < 0 ? `To ${row.toName}` : `From ${row.fromName}`}
        <span className="meta blk">{row.about}</span>
      </td>
      <td className="num">
        <Amount cents={row.changeInCents} plus="whenPositive" />
      </td>
      <td className="num stmt-b">
        <Amount cents={row.balanceAfterInCents} quiet />
      </td>
    </tr>
  );
}
