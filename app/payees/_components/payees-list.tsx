"use client";

import { Plus } from "lucide-react";
import { PayeeState } from "@/app/payees/_components/payee-state";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { SUBLINE } from "@/components/ui/text-styles";
import { writeCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { PayeeRowView, PayeesView } from "@/lib/views/payees/read-payees";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { numberWords } from "@/lib/words/rules/number-words";

const KIND = { BUSINESS: "Business", INDIVIDUAL: "Person" } as const;

/** How many are shown until the reader asks for all. */
const FIRST_PAYEES = 100;

export function PayeesList({ view, showsAll }: { view: PayeesView; showsAll: boolean }) {
  const { payees, coolOff, viewer } = view;
  const listed = showsAll ? payees : payees.slice(0, FIRST_PAYEES);
  return (
    <>
      <PageHead
        title={payeesTitle(payees)}
        lede={`Others you pay. Nothing is sent to an account that an owner or co-owner has not confirmed.${coolOffWords(coolOff)}`}
        actions={
          viewer.canChange ? (
            <PageActions>
              <Link className={buttonClass({ kind: "outlined" })} href="/payees/import">
                Import
              </Link>
              <Link className={buttonClass({ kind: "primary" })} href="/payees/new">
                <Plus />
                Add payee
              </Link>
            </PageActions>
          ) : null
        }
      />
      <Section id="payees" title="Payees" fact={payees.length === 0 ? null : payees.length}>
        {payees.length === 0 ? (
          <Empty title="No payees yet">
            {viewer.canChange
              ? "Add one, or let a key or an assistant propose one."
              : "Owners and co-owners add them."}
          </Empty>
        ) : (
          <>
            <PayeesTable payees={listed} time={view.time} />
            {listed.length < payees.length ? (
              <PagerRow>
                <span>
                  {listed.length} of {payees.length} payees
                </span>
                <PagerLink href="/payees?show=all">Show all payees</PagerLink>
              </PagerRow>
            ) : null}
          </>
        )}
      </Section>
    </>
  );
}

function coolOffWords({ aboveInCents, hours }: PayeesView["coolOff"]): string {
  if (hours === 0) return "";
  return ` For ${hours} hours after that, payments above ${writeCents(aboveInCents)} wait.`;
}

/** What needs a member first: `One payee waits for you`. */
export function payeesTitle(payees: readonly Pick<PayeeRowView, "state" | "changeIsWaiting">[]): string {
  if (payees.length === 0) return "No payees yet";
  const waiting = payees.filter(
    ({ state, changeIsWaiting }) => state === "WAITING" || changeIsWaiting,
  ).length;
  if (waiting > 0) return `${counted(waiting)} ${waiting === 1 ? "waits" : "wait"} for confirmation`;
  const active = payees.filter(({ state }) => state === "ACTIVE").length;
  return active === 0 ? "No payee can be paid yet" : `${counted(active)} can be paid`;
}

function counted(count: number): string {
  const number = numberWords(count);
  return `${number.charAt(0).toUpperCase()}${number.slice(1)} ${count === 1 ? "payee" : "payees"}`;
}

function PayeesTable({ payees, time }: Pick<PayeesView, "payees" | "time">) {
  return (
    <Table
      className="[&_tbody_th]:align-top [&_td]:align-top"
      caption="Payees"
      rows={payees}
      frame={(_payee, cells) => <tr className={linkRowClass()}>{cells}</tr>}
      columns={[
        { head: "Payee", header: true, cell: (payee) => <PayeeName payee={payee} time={time} /> },
        {
          head: "Account",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ accountNumberLast4 }) =>
            accountNumberLast4 === null ? (
              <span className="text-ink-3">None yet</span>
            ) : (
              `Ends in ${accountNumberLast4}`
            ),
        },
        {
          head: "Last paid",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ lastPaidAt }) =>
            lastPaidAt === null ? (
              <span className="text-ink-3">Never</span>
            ) : (
              <Moment at={lastPaidAt} time={time} />
            ),
        },
        { head: "State", cell: (payee) => <PayeeState payee={payee} /> },
      ]}
    />
  );
}

function PayeeName({ payee, time }: { payee: PayeeRowView; time: TimeContext }) {
  return (
    <span className="grid justify-items-start gap-1 min-w-0 wrap-anywhere max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11">
      <Link className="font-medium" href={payee.href}>
        {payee.name}
      </Link>
      <span className={SUBLINE}>
        {KIND[payee.kind]}
        {payee.coolsOffUntil === null
          ? null
          : `, cools off until ${formatWeekdayMoment(payee.coolsOffUntil, time)}`}
      </span>
      {payee.lookAlike === null ? null : (
        <span className={SUBLINE}>{lookAlikeWords([payee.lookAlike]).text}</span>
      )}
    </span>
  );
}
