"use client";

import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { SkeletonBar } from "@/components/layout/skeleton-bar";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { formatClock, formatDate } from "@/components/time/format-instant";
import { Ledger } from "@/components/ui/ledger";
import { Note } from "@/components/ui/note";
import { SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { YearEndView, YearProofView } from "@/lib/views/read-year-end";

function now({ keptSince }: YearProofView, time: TimeContext): string {
  return keptSince === null ? "now" : `at ${formatClock(keptSince, time)}`;
}

interface YearProofProps {
  view: YearEndView;
  proof: YearProofView;
  time: TimeContext;
  /** Shows a row for every account. */
  showsAll: boolean;
}

/** Rows shown until all are requested. */
const FIRST_ROWS = 20;

/** Opening balance, in, out and closing balance, in total and by account. */
export function YearProof({ view, proof, time, showsAll }: YearProofProps) {
  const drawn = drawnOf(proof.accounts, showsAll);
  const first = formatDate(view.firstDay, time);
  const last = formatDate(view.lastDay, time);
  return (
    <>
      <Section id="adds-up" title="It adds up" fact={`${first} to ${last}`} className="mt-0">
        <Ledger>
          <caption className="sr-only">The year, added up</caption>
          <tbody>
            <Row label={`Held in Sluice on ${first}`} cents={proof.openingInCents} />
            <Row
              label="Came in"
              about={count(proof.cameInCount, "movement")}
              cents={proof.cameInInCents}
              isChange
            />
            <Row
              label="Went out"
              about={count(proof.wentOutCount, "movement")}
              cents={-proof.wentOutInCents}
            />
            <Row label="Between your own accounts" about={count(proof.movedCount, "move")} cents={0} />
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                {view.readAt === null ? `Held in Sluice after ${last}` : `Held in Sluice ${now(proof, time)}`}
              </th>
              <td className="number">
                <Amount cents={proof.closingInCents} />
              </td>
            </tr>
          </tfoot>
        </Ledger>
        <div className="mt-4">
          {proof.addsUp ? (
            <Note tone="teal">
              <b>Balanced.</b> The entries of {allOf(proof.accounts.length)} match the balances shown, to the
              cent.
            </Note>
          ) : (
            <Note tone="red">
              <b>The entries do not match the balances.</b> No file is available for this year. No money
              moved. Tell the operator of this Sluice: the database was altered.
            </Note>
          )}
        </div>
      </Section>
      <Section id="accounts" title="Account by account" fact={first === last ? first : null}>
        <Table
          caption="Each account of the books in this year"
          rows={drawn}
          columns={[
            {
              head: "Account",
              header: true,
              cell: (account) => <AccountName account={account} />,
              foot: "Together",
            },
            {
              head: first,
              kind: "MONEY",
              phone: "HIDDEN",
              cell: ({ openingInCents }) => <Amount cents={openingInCents} quiet />,
              foot: <Amount cents={proof.openingInCents} />,
            },
            {
              head: "In",
              kind: "MONEY",
              phone: "HIDDEN",
              cell: ({ inInCents }) => <Amount cents={inInCents} quiet />,
              foot: <Amount cents={proof.cameInInCents + proof.movedInCents} />,
            },
            {
              head: "Out",
              kind: "MONEY",
              phone: "HIDDEN",
              cell: ({ outInCents }) => <Amount cents={-outInCents} quiet />,
              foot: <Amount cents={-(proof.wentOutInCents + proof.movedInCents)} />,
            },
            {
              head: last,
              kind: "MONEY",
              cell: ({ closingInCents }) => closingInCents,
              foot: <Amount cents={proof.closingInCents} />,
            },
          ]}
        />
        {drawn.length < proof.accounts.length ? (
          <PagerRow>
            <span>
              First {drawn.length} of {proof.accounts.length} accounts. Totals and file include all.
            </span>
            <span className="flex gap-2">
              <PagerLink href={`/settings/year-end?year=${view.year}&accounts=all`}>Show all</PagerLink>
            </span>
          </PagerRow>
        ) : null}
      </Section>
    </>
  );
}

/** Accounts that do not add up always have a row. */
function drawnOf(accounts: YearProofView["accounts"], showsAll: boolean): YearProofView["accounts"] {
  return showsAll ? accounts : accounts.filter(({ addsUp }, index) => index < FIRST_ROWS || !addsUp);
}

function AccountName({ account }: { account: YearProofView["accounts"][number] }) {
  return (
    <>
      {account.name}
      <span className={SUBLINE}>
        {count(account.count, "movement")}
        {account.isClosed ? ", closed" : null}
        {account.addsUp ? null : ", does not add up"}
      </span>
    </>
  );
}

interface RowProps {
  label: string;
  about?: string;
  cents: number;
  isChange?: boolean;
}

function Row({ label, about, cents, isChange = false }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {label}
        {about ? <span className={SUBLINE}>{about}</span> : null}
      </th>
      <td className={isChange && cents > 0 ? "number text-green" : "number"}>
        <Amount cents={cents} plus={isChange ? "whenPositive" : "never"} />
      </td>
    </tr>
  );
}

const count = (number: number, what: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? what : `${what}s`}`;

function allOf(accounts: number): string {
  return accounts === 1 ? "the one account of the books" : `all ${accounts} accounts of the books`;
}

const ROWS = ["opening", "in", "out", "between", "closing"];

/** The proof's placeholder in its final geometry. */
export function YearProofSkeleton() {
  return (
    <Section id="adds-up" title="It adds up" fact="Adding up every entry">
      <div role="status" aria-label="Adding up every entry">
        {ROWS.map((row) => (
          <div key={row} className="flex justify-between py-5 px-0 border-b border-rule">
            <SkeletonBar className="w-50 h-4" />
            <SkeletonBar className="w-24 h-4" />
          </div>
        ))}
      </div>
    </Section>
  );
}
