"use client";

import { FlaskConical } from "lucide-react";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { Amount } from "@/components/money/amount";
import { PrintButton } from "@/components/parts/accounts/print-button";
import { formatDay, formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { chipClass } from "@/components/ui/chip-class";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK, PAGE_LEDE, PAGE_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { StatementBooks, StatementRowView, StatementView } from "@/lib/views/accounts/read-statement";
import { ACCOUNT_KIND_WORDS } from "@/lib/words/account-words";

/** The statement of an account, also for print. */
export function Statement({ view }: { view: StatementView }) {
  const { account, books } = view;
  return (
    <div>
      <Crumb
        ways={[
          { href: "/accounts", label: "Accounts" },
          { href: account.href, label: account.name },
        ]}
        here="Statement"
      />
      <PageHeadRow>
        <div>
          <p className="text-sm text-ink-3">{view.organizationName}</p>
          <h1 className={PAGE_TITLE}>Statement of {account.name}</h1>
          <p className={PAGE_LEDE}>
            {periodWords(view)}
            {view.isUnfinished ? ". The period is not over yet" : null}.
          </p>
        </div>
        {books ? (
          <PageActions>
            <PrintButton />
          </PageActions>
        ) : null}
      </PageHeadRow>
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
        <p
          className="flex items-center gap-2 mt-6 text-[13px] text-ink-3 [&_svg]:size-4"
          data-says-sandbox=""
        >
          <FlaskConical />
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
    <nav
      className="flex flex-wrap gap-2 mx-0 mt-5 mb-7 [&_[aria-current]]:border-teal [&_[aria-current]]:font-semibold [&_[aria-current]]:text-teal print:hidden"
      aria-label="Months"
    >
      {months.map(({ label, href, isCurrent }) => (
        <Link key={href} className={chipClass()} href={href} aria-current={isCurrent ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

const FACTS =
  "[&>div]:grid [&>div]:grid-cols-[minmax(0,auto)_minmax(0,1fr)] [&>div]:gap-4 [&>div]:py-1 [&_dt]:text-ink-3 [&_dd]:min-w-0 [&_dd]:text-right [&_dd]:font-medium [&_dd]:wrap-anywhere";

function Facts({ view: { account, books } }: { view: StatementView }) {
  const facts: [string, string | null][] = [
    ["Account", `${account.name}, ${ACCOUNT_KIND_WORDS[account.kind].toLowerCase()}`],
    ["Number", account.numberEnding && `••••${account.numberEnding}`],
    ["Beneficiary", account.ownerName],
    ["Bank", account.institutionName],
  ];
  return (
    <div className="grid grid-cols-2 gap-x-16 gap-y-4 mb-8 max-sm:not-print:grid-cols-1">
      <dl className={FACTS}>
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
        <dl className={FACTS}>
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
          <div className="mt-1 border-t border-b-3 [border-bottom-style:double] border-ink-3 font-semibold">
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
              <Link className={LINK} href={books.more.whole.href}>
                {wholeWords(books.count, books.more.whole.rowCount)}
              </Link>
              , or{" "}
            </>
          ) : null}
          <Link className={LINK} href={books.more.href}>
            {books.more.whole ? "see" : "See"} them in Movements, and export them as CSV
          </Link>
          .
        </Note>
      ) : null}
      <Ledger className="mt-4 [&_td:not(.number)]:wrap-anywhere print:[&_tbody_:is(th,td)]:py-1.5">
        <caption className="sr-only">Booked movements in order, with the balance after each</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Movement</th>
            <th scope="col" className="number">
              In or out
            </th>
            <th scope="col" className="number max-sm:not-print:hidden">
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
              <td className="text-ink-2" colSpan={3}>
                No movements.
              </td>
            </tr>
          ) : null}
          {books.more ? (
            <tr>
              <td />
              <td className="text-ink-2">
                {books.more.count.toLocaleString("en-US")} more movements together
              </td>
              <td className="number">
                <Amount cents={books.more.netInCents} plus="whenPositive" />
              </td>
              <td className="number max-sm:not-print:hidden">
                <Amount cents={books.closingInCents} quiet />
              </td>
            </tr>
          ) : null}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Closing balance
              <span className={`${SUBLINE} hidden max-sm:not-print:block`}>
                <Amount cents={books.closingInCents} />
              </span>
            </th>
            <td className="number">
              <Amount cents={books.inInCents - books.outInCents} plus="whenPositive" />
            </td>
            <td className="number max-sm:not-print:hidden">
              <Amount cents={books.closingInCents} />
            </td>
          </tr>
        </tfoot>
      </Ledger>
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
        <span className={`${SUBLINE} hidden max-sm:not-print:block`}>
          <Amount cents={cents} />
        </span>
      </th>
      <td className="number" />
      <td className="number max-sm:not-print:hidden">
        <Amount cents={cents} />
      </td>
    </tr>
  );
}

function MovementRow({ row, time }: { row: StatementRowView; time: TimeContext }) {
  return (
    <tr>
      <td className="text-sm text-ink-3 w-[1%] whitespace-nowrap">
        <Moment at={row.at} time={time} format={formatShortDay} />
      </td>
      <td>
        {row.changeInCents < 0 ? `To ${row.toName}` : `From ${row.fromName}`}
        <span className={SUBLINE}>{row.about}</span>
      </td>
      <td className="number">
        <Amount cents={row.changeInCents} plus="whenPositive" />
      </td>
      <td className="number max-sm:not-print:hidden">
        <Amount cents={row.balanceAfterInCents} quiet />
      </td>
    </tr>
  );
}
