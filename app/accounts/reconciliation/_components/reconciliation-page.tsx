"use client";

import { CircleCheck, Clock, Mail, TriangleAlert } from "lucide-react";
import {
  KIND_WORDS,
  RESOLUTION_WORDS,
  reconciliationTitle,
} from "@/app/accounts/reconciliation/_components/difference-words";
import { ReconcileNow } from "@/app/accounts/reconciliation/_components/reconcile-now";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { LateNews } from "@/components/parts/accounts/late-news";
import { RefreshWhile } from "@/components/parts/onboarding/refresh-while";
import { formatDate, formatInSentence } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { SUBLINE } from "@/components/ui/text-styles";
import { BY_RAIL } from "@/lib/contract/bank-capabilities";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  BankAgreementView,
  DifferenceRowView,
  ReconciliationView,
} from "@/lib/views/reconciliation/read-reconciliation";

export function ReconciliationPage({ view }: { view: ReconciliationView }) {
  const { agreement, open, expected, expectedCount, resolved, brokenDay, time } = view;
  return (
    <>
      <Crumb ways={[{ href: "/accounts", label: "Accounts" }]} here="Reconciliation" />
      <PageHead
        title={reconciliationTitle(agreement)}
        lede={
          agreement === null
            ? "The bank’s statement is compared with the books after the close of each banking day."
            : `Compared ${formatInSentence(agreement.reconciledAt, time)}, and after the close of each banking day.`
        }
        actions={
          view.viewer.canResolve ? (
            <PageActions>
              <ReconcileNow isUnderWay={view.isUnderWay} />
            </PageActions>
          ) : null
        }
      />
      {view.isUnderWay ? <RefreshWhile /> : null}
      <LateNews since={view.bankNewsLateSince} time={time} />
      {brokenDay === null ? null : (
        <Note tone="red">
          The proof of {formatDate(brokenDay, time)} was changed after it was sealed, or one before it was
          removed. Restore a backup, and find out who could write to the database.
        </Note>
      )}
      {agreement === null ? null : <Agreement agreement={agreement} bankName={view.bankName} />}
      <Section id="open" title="Open differences" fact={open.length === 0 ? null : open.length}>
        {open.length === 0 ? (
          <Empty title="No open differences">
            Every line of the statement has its entry, or settlement explains why not.
          </Empty>
        ) : (
          <Differences caption="Open differences" rows={open} view={view} />
        )}
      </Section>
      {expectedCount === 0 ? null : (
        <Section
          id="expected"
          title="On its way"
          fact={
            expectedCount > expected.length
              ? `The first ${expected.length} of ${expectedCount}`
              : expectedCount
          }
        >
          <Differences caption="Movements on their way" rows={expected} view={view} />
        </Section>
      )}
      {resolved.length === 0 ? null : (
        <Section id="resolved" title="Resolved">
          <Differences caption="Resolved differences" rows={resolved} view={view} />
        </Section>
      )}
      <Days view={view} />
    </>
  );
}

function Agreement({ agreement, bankName }: { agreement: BankAgreementView; bankName: string }) {
  const rows = [
    { label: "Sum of pods and income sources", cents: agreement.booksInCents },
    { label: "On its way", cents: agreement.expectedInCents },
    { label: "Open differences", cents: agreement.openInCents },
    { label: "Unexplained", cents: agreement.unexplainedInCents },
  ];
  return (
    <Ledger className="max-w-140">
      <caption className="sr-only">From the books to the bank’s balance</caption>
      <tbody>
        {rows
          .filter(({ cents }, index) => index === 0 || cents !== 0)
          .map(({ label, cents }, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="number">
                <Amount cents={cents} plus={index === 0 ? "never" : "whenPositive"} />
              </td>
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Balance at {bankName}</th>
          <td className="number">
            <Amount cents={agreement.bankInCents} />
          </td>
        </tr>
      </tfoot>
    </Ledger>
  );
}

interface DifferencesProps {
  caption: string;
  rows: readonly DifferenceRowView[];
  view: Pick<ReconciliationView, "time">;
}

function Differences({ caption, rows, view: { time } }: DifferencesProps) {
  return (
    <Table
      className="[&_tbody_th]:align-top [&_td]:align-top"
      caption={caption}
      rows={rows}
      frame={(_row, cells) => <tr className={linkRowClass()}>{cells}</tr>}
      columns={[
        { head: "Difference", header: true, cell: (row) => <DifferenceName row={row} /> },
        { head: "Day", phone: "HIDDEN", className: "text-ink-2", cell: ({ day }) => formatDate(day, time) },
        { head: "Bank", kind: "MONEY", cell: ({ bankInCents }) => <SideAmount cents={bankInCents} /> },
        { head: "Books", kind: "MONEY", cell: ({ booksInCents }) => <SideAmount cents={booksInCents} /> },
        {
          head: "State",
          phone: "HIDDEN",
          columnClass: "pl-6",
          cell: (row) => <DifferenceState difference={row} />,
        },
      ]}
    />
  );
}

function DifferenceName({ row: { href, kind, description, rail } }: { row: DifferenceRowView }) {
  return (
    <span className="grid justify-items-start gap-1 min-w-0 wrap-anywhere max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11">
      <Link className="font-medium" href={href}>
        {KIND_WORDS[kind]}
      </Link>
      <span className={SUBLINE}>
        {description}
        {rail === null ? null : ` ${BY_RAIL[rail]}`}
      </span>
    </span>
  );
}

/** 0 is a side that lacks it. */
export function SideAmount({ cents }: { cents: number }) {
  return cents === 0 ? (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">missing</span>
    </span>
  ) : (
    <Amount cents={cents} />
  );
}

export function DifferenceState({
  difference: { state, resolution, askedBankAt },
}: {
  difference: Pick<DifferenceRowView, "state" | "resolution" | "askedBankAt">;
}) {
  if (state === "EXPECTED") {
    return (
      <Status tone="teal" icon={<Clock aria-hidden="true" />}>
        On its way
      </Status>
    );
  }
  if (state === "RESOLVED") {
    return (
      <Status tone="mute" icon={<CircleCheck aria-hidden="true" />}>
        {resolution === null ? "Resolved" : RESOLUTION_WORDS[resolution]}
      </Status>
    );
  }
  return askedBankAt === null ? (
    <Status tone="amber" icon={<TriangleAlert aria-hidden="true" />}>
      Open
    </Status>
  ) : (
    <Status tone="amber" icon={<Mail aria-hidden="true" />}>
      Bank was asked
    </Status>
  );
}

function Days({ view: { days, time } }: { view: ReconciliationView }) {
  return (
    <Section id="days" title="Days" fact={days.length === 0 ? null : "Each proof is sealed"}>
      {days.length === 0 ? (
        <Empty title="No days yet">The proof of each banking day is kept here.</Empty>
      ) : (
        <Table
          caption="Proofs of banking days"
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { head: "Day", header: true, cell: ({ day }) => formatDate(day, time) },
            { head: "Bank", kind: "MONEY", cell: ({ bankInCents }) => bankInCents },
            { head: "Books", kind: "MONEY", cell: ({ booksInCents }) => booksInCents },
            { head: "New lines", kind: "NUMBER", phone: "HIDDEN", cell: ({ lineCount }) => lineCount },
            {
              head: "Outcome",
              phone: "HIDDEN",
              columnClass: "pl-6",
              className: "text-ink-2",
              cell: (day) => dayWords(day),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** `2 open`, `All matched`. */
function dayWords({
  openCount,
  unexplainedInCents,
}: Pick<ReconciliationView["days"][number], "openCount" | "unexplainedInCents">): string {
  const open = openCount === 0 ? null : `${openCount} open`;
  const rest = unexplainedInCents === 0 ? null : `${formatCents(Math.abs(unexplainedInCents))} unexplained`;
  return [open, rest].filter((words) => words !== null).join(", ") || "All explained";
}
