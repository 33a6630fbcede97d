import { CirclePause } from "lucide-react";
import { AccountAbout, AccountLinks } from "@/app/accounts/_components/account-about";
import { ActionForm } from "@/app/accounts/[id]/_components/action-form";
import { MovementsTable, WaitingMovements } from "@/app/accounts/[id]/_components/movements-table";
import { reopenAccount } from "@/app/accounts/actions";
import { BalanceChart } from "@/components/charts/balance-chart";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Amount } from "@/components/money/amount";
import { LateNews } from "@/components/parts/accounts/late-news";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { formatMoment, formatWeekdayMoment, inZone } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { PAGE_TITLE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { HISTORY_DAYS } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AccountPageView, AccountRegistrationView } from "@/lib/views/accounts/read-account-page";
import type { BalanceHistory } from "@/lib/views/accounts/read-balance-history";
import type { AccountRulesView, AccountRuleView } from "@/lib/views/rules/list-account-rules";

const PART_WORDS: Record<AccountRuleView["part"], string> = {
  IN: "in",
  OUT: "out",
  IN_AND_OUT: "in and out",
  STARTS: "starts here",
  LOOKED_AT: "looks",
};

interface AccountPageProps {
  view: AccountPageView;
  /** Reopens a closed account; returns the reason if it cannot. */
}

/** One account: balance, movements, facts, and open proposals. */
export function AccountPage({ view }: AccountPageProps) {
  return (
    <div>
      <Crumb ways={[{ href: "/accounts", label: "Accounts" }]} here={view.name} />
      <Head view={view} />
      {view.lookAlike === null ? null : (
        <div className="mb-6">
          <LookAlikeNote names={[view.lookAlike]} />
        </div>
      )}
      <Unusual view={view} />
      <div className={COLUMNS}>
        <div>
          {view.history ? <History view={view} history={view.history} /> : null}
          <MovementsTable view={view} />
        </div>
        <SideColumn label={`About ${view.name}`} sticky={false} gap="wide">
          {view.waiting.length > 0 ? <WaitingMovements view={view} /> : null}
          <AccountAbout view={view} />
          <AccountLinks view={view} />
          <AccountRules view={view.rules} time={view.time} />
        </SideColumn>
      </div>
    </div>
  );
}

function Head({ view }: { view: AccountPageView }) {
  return (
    <PageHeadRow className="mb-6">
      <div>
        <h1 className={PAGE_TITLE}>{view.name}</h1>
        <p className="mt-2.5">
          <Amount cents={view.balanceInCents} size="3xl" />
        </p>
        <p className="text-ink-2">
          <Available view={view} />
        </p>
        <LateNews since={view.bankNewsLateSince} time={view.time} />
      </div>
      <PageActions>
        {view.history ? (
          <Link className={buttonClass({ kind: "quiet" })} href={`/accounts/${view.id}/statement`}>
            Statement
          </Link>
        ) : null}
        {view.closeHref ? (
          <Link className={buttonClass({ kind: "quiet" })} href={view.closeHref}>
            Close account
          </Link>
        ) : null}
        {view.editHref ? (
          <Link className={buttonClass({ kind: "outlined" })} href={view.editHref}>
            Edit
          </Link>
        ) : null}
        {view.registration?.kind === "MISSING" && view.registration.href ? (
          <Link className={buttonClass({ kind: "primary" })} href={view.registration.href}>
            Register at the bank
          </Link>
        ) : null}
        {view.moveHref ? (
          <Link className={buttonClass({ kind: "primary" })} href={view.moveHref}>
            Move money
          </Link>
        ) : null}
      </PageActions>
    </PageHeadRow>
  );
}

/** `$18,371.55 available, $49.00 on its way out. Updated today, 11:24.` */
function Available({ view }: { view: AccountPageView }) {
  if (view.balanceAt === null) return <>Its bank has not reported a balance yet.</>;
  return (
    <>
      {view.kind === "LIABILITY" ? "Amount owed. " : null}
      {view.kind !== "LIABILITY" && view.availableInCents !== null ? (
        <>
          <Amount cents={view.availableInCents} /> available
          {view.onItsWayOutInCents > 0 ? (
            <>
              , <Amount cents={view.onItsWayOutInCents} /> on its way out
            </>
          ) : null}
          .{" "}
        </>
      ) : null}
      Updated <Moment at={view.balanceAt} time={view.time} format={formatMomentInside} />.
    </>
  );
}

/** "today" inside a sentence. */
function formatMomentInside(at: string, time: TimeContext): string {
  return formatMoment(at, time).replace(/^Today/, "today");
}

/** Unusual states: closed with money in it, or below zero. */
function Unusual({ view }: AccountPageProps) {
  const balance = view.balanceInCents ?? 0;
  const isManaged = view.history !== null;
  if (view.closedAt) {
    return (
      <div className="mb-6">
        <Note>{closedWords(view, isManaged ? balance : 0)}</Note>
        {view.canReopen ? (
          <ActionForm act={reopenAccount} accountId={view.id} label="Reopen account" busyLabel="Reopening" />
        ) : null}
      </div>
    );
  }
  if (!isManaged) return <Registration view={view} />;
  if (balance >= 0) return null;
  return (
    <div className="mb-6">
      <Note>
        The bank reversed money that had already moved on, so this account is {formatCents(-balance)} below
        zero. Incoming money fills that first.
      </Note>
    </div>
  );
}

/** Why money cannot move between Sluice and this account, or not all of it yet. */
function Registration({ view: { registration, name, time, viewer } }: { view: AccountPageView }) {
  const words = registration === null ? null : registrationWords(registration, name, time, viewer);
  if (words === null) return null;
  return (
    <div className="mb-6">
      <Note>{words}</Note>
    </div>
  );
}

function registrationWords(
  registration: AccountRegistrationView,
  name: string,
  time: TimeContext,
  { canDecide }: AccountPageView["viewer"],
): string | null {
  switch (registration.kind) {
    case "IMPOSSIBLE":
      return `The bank sends money only to accounts that are registered with it. To pay ${name}, add it as a payee.`;
    case "MISSING":
      return `${name} is not registered at the bank yet, so no money can be drawn from it or sent to it.${
        canDecide ? "" : " An owner or co-owner can register it."
      }`;
    case "REGISTERED":
      return registration.coolsOffUntil === null
        ? null
        : `Registered recently: payments to it that together exceed ${formatCents(registration.coolOffAboveInCents)} wait until ${formatWeekdayMoment(registration.coolsOffUntil, time)}, and can be canceled until then.`;
  }
}

function closedWords({ name, viewer }: AccountPageView, balanceInCents: number): string {
  if (balanceInCents === 0) return `${name} is closed. Its history is kept.`;
  const happened =
    balanceInCents > 0
      ? `The bank booked ${formatCents(balanceInCents)} to it after it was closed.`
      : `The bank took ${formatCents(-balanceInCents)} back from it after it was closed.`;
  const way = viewer.canDecide
    ? "Reopen it to move that money."
    : "An owner or co-owner can reopen it to move that money.";
  return `${name} is closed. ${happened} ${way}`;
}

/** Rules that use the account as source, destination or trigger. Hidden if there are none. */
function AccountRules({ view, time }: { view: AccountRulesView; time: TimeContext }) {
  if (view.rules.length === 0) return null;
  const more = view.count - view.rules.length;
  return (
    <Section id="rules" title="Rules" fact={String(view.count)}>
      <LinkList className="[&_li]:items-start [&_li]:gap-4">
        {view.rules.map((rule) => (
          <li key={rule.id}>
            <div>
              <Link href={rule.href}>{rule.name}</Link>
              <p className="text-sm text-ink-3 mt-0.5">{rule.line}</p>
              <State rule={rule} time={time} />
            </div>
            <span className="text-ink-3 whitespace-nowrap">{PART_WORDS[rule.part]}</span>
          </li>
        ))}
        {more > 0 ? (
          <li className="text-ink-3">
            and {more} more on the <Link href="/rules">Rules page</Link>
          </li>
        ) : null}
      </LinkList>
    </Section>
  );
}

/** Empty for an active rule without a schedule. */
function State({ rule, time }: { rule: AccountRuleView; time: TimeContext }) {
  if (rule.state === "PAUSED") {
    return (
      <Status tone="mute" icon={<CirclePause />}>
        Paused
      </Status>
    );
  }
  if (rule.state === "INACTIVE") return <p className="text-sm text-ink-3">Not active</p>;
  if (rule.nextRunAt === null) return null;
  return (
    <p className="text-sm text-ink-3">
      Next: <Moment at={rule.nextRunAt} time={inZone(time, rule.nextRunTimeZone)} />
    </p>
  );
}

interface HistoryProps {
  view: AccountPageView;
  history: BalanceHistory;
}

/** The balance over the last days. */
function History({ view, history }: HistoryProps) {
  return (
    <BalanceChart
      points={history.points}
      floorInCents={view.floorInCents}
      label={sentence(view, history)}
      caption={`Balance of ${view.name} at the end of each day on which it changed`}
      name="Balance"
      time={view.time}
      actions={
        <nav className="ml-auto" aria-label="Period of the chart">
          <span className={SEGMENTED}>
            {HISTORY_DAYS.map((days) => (
              <Link
                key={days}
                href={view.historyHrefs[days]}
                scroll={false}
                aria-current={days === history.days ? "true" : undefined}
              >
                {days} days
              </Link>
            ))}
          </span>
        </nav>
      }
    />
  );
}

function sentence(view: AccountPageView, { days, points }: BalanceHistory): string {
  const balances = points.map((point) => point.balanceInCents);
  const floor = view.floorInCents === null ? "" : ` Floor: ${formatCents(view.floorInCents)}.`;
  return (
    `Balance of ${view.name} over ${days} days: between ${formatCents(Math.min(...balances))} and ` +
    `${formatCents(Math.max(...balances))}, now ${formatCents(balances.at(-1) ?? 0)}.${floor}`
  );
}
