"use client";

import { Clock, Landmark, Plus } from "lucide-react";
import type { ReactNode } from "react";
import {
  aboutAccount,
  aboutOwed,
  goalPercent,
  statementWords,
} from "@/app/accounts/_components/account-about";
import { type AccountRow, AccountSection } from "@/app/accounts/_components/account-sections";
import { BankAgreement } from "@/app/accounts/_components/bank-agreement";
import { ReservoirFigure } from "@/app/accounts/_components/reservoirs";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Amount } from "@/components/money/amount";
import { BesideSluice, inSluiceWords } from "@/components/parts/accounts/in-sluice";
import { LateNews } from "@/components/parts/accounts/late-news";
import { formatInSentence, formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Gauge } from "@/components/ui/gauge";
import { GateClosedIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK } from "@/components/ui/text-styles";
import type { ConnectionView } from "@/lib/contract/connections";
import { formatCents } from "@/lib/contract/format-cents";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import { type AccountSectionName, accountsHref } from "@/lib/contract/search/list-search";
import type {
  AccountsView,
  ClosedAccountView,
  ManagedAccountView,
  OutsideAccountView,
  OwedAccountView,
} from "@/lib/views/accounts/read-accounts-page";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** More basins than this cannot be compared; the list below has all accounts. */
const DRAWN_LIMIT = 8;

interface AccountsListProps {
  view: AccountsView;
  /** The accounts that were just connected. */
  connected: Pick<ConnectionView, "institutionName" | "accounts"> | null;
}

/** All accounts: total, a drawing to scale, then a ledger per type. */
export function AccountsList({ view, connected }: AccountsListProps) {
  const drawn = view.search.only === null ? [...view.incomeSources, ...view.pods].slice(0, DRAWN_LIMIT) : [];
  const { counts } = view;
  return (
    <div>
      <PageHeadRow className="mb-5">
        <div>
          <p className="text-sm text-ink-3">{inSluiceWords(view.inSluice)}</p>
          <h1 className="mt-1">
            <span className="sr-only">Accounts, </span>
            <Amount cents={view.inSluice.totalInCents} size="3xl" />
          </h1>
          <BesideSluice view={view} />
          <LateNews since={view.bankNewsLateSince} time={view.time} />
          <BankAgreement agreement={view.bankAgreement} time={view.time} />
        </div>
        {view.viewer.canDecide ? (
          <PageActions>
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/connect">
              <Landmark />
              Connect account
            </Link>
            <Link className={buttonClass({ kind: "outlined" })} href="/accounts/new">
              <Plus />
              New account
            </Link>
            <Link className={buttonClass({ kind: "primary" })} href="/transfers/new">
              Move money
            </Link>
          </PageActions>
        ) : null}
      </PageHeadRow>
      {connected ? (
        <div className="mb-8" role="status">
          <Note tone="teal">
            {connected.institutionName} is connected: {joinWords(connected.accounts.map(({ name }) => name))}.
            Its past year of activity will arrive shortly.
          </Note>
        </div>
      ) : null}
      {drawn.length > 0 ? <ReservoirFigure accounts={drawn} rest={restOf(view, drawn)} /> : null}
      {view.search.only === null ? null : <WholeList view={view} />}
      <AccountSection
        id="income"
        pager={<SectionPager name="income" view={view} />}
        title={counts.income > 1 ? "Income sources" : "Income source"}
        fact="Where outside money enters"
        rows={view.incomeSources.map((account) => managedRow(account, view))}
        total={totalOf("In income sources", counts.income, view.incomeTotalInCents)}
      />
      <AccountSection
        id="pods"
        pager={<SectionPager name="pods" view={view} />}
        title="Pods"
        fact="Money you route"
        rows={view.pods.map((account) => managedRow(account, view))}
        total={{ label: "In pods", amount: <Amount cents={view.podsTotalInCents} /> }}
      />
      <AccountSection
        id="outside"
        pager={<SectionPager name="outside" view={view} />}
        title="Outside Sluice"
        fact="Reported by your banks"
        rows={view.outside.map((account) => outsideRow(account, view))}
        total={totalOf("Outside Sluice", counts.outside, view.outsideTotalInCents)}
      />
      <AccountSection
        id="owed"
        pager={<SectionPager name="owed" view={view} />}
        title="Owed"
        fact="Debts"
        rows={view.owed.map((account) => owedRow(account, view))}
        total={totalOf("Owed", counts.owed, view.owedTotalInCents)}
      />
      <AccountSection
        id="closed"
        pager={<SectionPager name="closed" view={view} />}
        title="Closed"
        fact="History is kept"
        rows={view.closed.map((account) => closedRow(account, view))}
      />
    </div>
  );
}

/** A single row is its own total. */
function totalOf(label: string, count: number, cents: number | null) {
  return count > 1 ? { label, amount: <Amount cents={cents} /> } : undefined;
}

/** The sum of the accounts that are not drawn. */
function restOf(view: AccountsView, drawn: ManagedAccountView[]): { count: number; totalInCents: number } {
  const drawnInCents = drawn.reduce((sum, { balanceInCents }) => sum + balanceInCents, 0);
  return {
    count: view.counts.income + view.counts.pods - drawn.length,
    totalInCents: view.incomeTotalInCents + view.podsTotalInCents - drawnInCents,
  };
}

const ROWS_OF = {
  income: "incomeSources",
  pods: "pods",
  outside: "outside",
  owed: "owed",
  closed: "closed",
} as const satisfies Record<AccountSectionName, keyof AccountsView>;

/** Links to the rest of a section and its pages. */
function SectionPager({ name, view }: { name: AccountSectionName; view: AccountsView }) {
  const { search, firstPosition, previousHref, nextHref } = view;
  const shown = view[ROWS_OF[name]].length;
  const count = view.counts[name];
  if (search.only === null) {
    if (shown === count) return null;
    return (
      <PagerRow>
        <span>
          The first {shown} of {count}
        </span>
        <span className="flex gap-2">
          <PagerLink href={accountsHref({ only: name, page: 1 })}>Show all</PagerLink>
        </span>
      </PagerRow>
    );
  }
  if (previousHref === null && nextHref === null) return null;
  return (
    <PagerRow>
      <span>
        {firstPosition} to {firstPosition + shown - 1} of {count}
      </span>
      <span className="flex gap-2">
        <PagerLink href={previousHref}>Previous</PagerLink>
        <PagerLink href={nextHref}>Next</PagerLink>
      </span>
    </PagerRow>
  );
}

/** The link back from one section, also on an empty page. */
function WholeList({ view }: { view: AccountsView }) {
  const { only } = view.search;
  return (
    <p className="mt-5">
      <Link className={LINK} href="/accounts">
        All accounts
      </Link>
      {only !== null && view[ROWS_OF[only]].length === 0 ? ". No accounts on this page." : null}
    </p>
  );
}

function managedRow(account: ManagedAccountView, view: AccountsView): AccountRow {
  return {
    id: account.id,
    name: account.name,
    href: account.href,
    about: withLookAlike(aboutAccount(account), view.lookAlikes[account.id]),
    state: <ManagedState account={account} canDecide={view.viewer.canDecide} />,
    amount: <Amount cents={account.balanceInCents} />,
  };
}

/** Below the name: which other one looks the same. */
function withLookAlike(about: string | null, lookAlike: LookAlike | undefined): string | null {
  if (!lookAlike) return about;
  const { text } = lookAlikeWords([lookAlike]);
  return about === null ? text : `${about}. ${text}`;
}

/** The most important fact of an account: pending money, then its goal, then its floor. */
function ManagedState({
  account,
  canDecide,
}: {
  account: ManagedAccountView;
  canDecide: boolean;
}): ReactNode {
  if (account.waitingOut) {
    return (
      <Status tone="amber" icon={<GateClosedIcon />}>
        {formatCents(account.waitingOut.amountInCents)}{" "}
        {canDecide ? "needs your decision" : "waiting for approval"}
      </Status>
    );
  }
  if (account.goalInCents !== null) {
    const percent = goalPercent(account);
    return (
      <div className="grid grid-cols-[160px_auto] items-center justify-start gap-3.5 max-sm:grid-cols-[72px_auto]">
        <Gauge percent={percent} tone="goal" />
        <span className="text-sm text-ink-3">
          {percent}% of {formatCents(account.goalInCents)}
        </span>
      </div>
    );
  }
  if (account.floorInCents === null) return null;
  const belowInCents = account.floorInCents - account.balanceInCents;
  return (
    <span className="text-ink-3">
      Floor {formatCents(account.floorInCents)}
      {belowInCents > 0 ? `, ${formatCents(belowInCents)} below it` : null}
    </span>
  );
}

function outsideRow(account: OutsideAccountView, view: AccountsView): AccountRow {
  return {
    id: account.id,
    name: account.name,
    href: account.href,
    about: withLookAlike(aboutAccount(account), view.lookAlikes[account.id]),
    state: <BalanceAge account={account} view={view} />,
    amount: <Amount cents={account.balanceInCents} />,
  };
}

/** An old balance is shown in ink with its age, never in amber. */
function BalanceAge({
  account: { balanceAt, connectionHref },
  view: { time },
}: {
  account: OutsideAccountView;
  view: AccountsView;
}) {
  return (
    <span className="inline-flex items-start gap-2 text-ink-2 [&_svg]:size-4 [&_svg]:mt-0.5 [&_svg]:text-ink-3">
      <Clock />
      {balanceAt ? (
        <span>
          Refreshed <Moment at={balanceAt} time={time} format={formatInSentence} />, usually every banking
          day.
          <ToConnection href={connectionHref} />
        </span>
      ) : (
        <span>
          Its bank has not reported a balance yet.
          <ToConnection href={connectionHref} />
        </span>
      )}
    </span>
  );
}

function ToConnection({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <>
      {" "}
      <Link className={LINK} href={href}>
        Connection
      </Link>
    </>
  );
}

function owedRow(account: OwedAccountView, view: AccountsView): AccountRow {
  return {
    id: account.id,
    name: account.name,
    href: account.href,
    about: withLookAlike(aboutOwed(account), view.lookAlikes[account.id]),
    state: (
      <span className="text-ink-3">
        {statementWords(account, view.time)}
        <ToConnection href={account.connectionHref} />
      </span>
    ),
    amount: <Amount cents={account.balanceInCents} />,
  };
}

function closedRow(account: ClosedAccountView, { time }: AccountsView): AccountRow {
  return {
    id: account.id,
    name: account.name,
    href: account.href,
    about: `Closed ${formatShortDay(account.closedAt, time)}`,
    state: account.balanceInCents === 0 ? null : "Booked by the bank after closing.",
    amount: <Amount cents={account.balanceInCents} />,
  };
}
