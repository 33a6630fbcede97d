import { CircleCheck, CircleMinus, Clock, Unplug, Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import { ConnectionActs } from "@/app/connections/[id]/_components/connection-acts";
import { RefreshDays } from "@/app/connections/[id]/_components/refresh-days";
import { COLUMNS } from "@/components/layout/columns";
import { PageHeadRow } from "@/components/layout/page-head";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { ConnectCrumb, TYPE_WORDS } from "@/components/parts/connections/connect-words";
import { formatAfterWord } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK, PAGE_TITLE, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ConnectionAccountView, ConnectionPageView } from "@/lib/views/connections/read-connection-page";

interface ConnectionPageProps {
  view: ConnectionPageView;
  time: TimeContext;
}

/** Whether the bank answers, how old the balances are, and what that blocks. */
export function ConnectionPage({ view, time }: ConnectionPageProps) {
  const { institutionName, accounts, viewer } = view;
  const open = accounts.filter(({ isClosed }) => !isClosed);
  return (
    <div>
      <ConnectCrumb here={institutionName} />
      <PageHeadRow>
        <div>
          <h1 className={PAGE_TITLE}>{titleOf(view)}</h1>
          <p className="flex flex-wrap items-center gap-y-1 gap-x-4 mt-2.5 text-[13px] text-ink-2">
            <State view={view} time={time} />
          </p>
        </div>
        {viewer.canDecide ? <ConnectionActs view={view} /> : null}
      </PageHeadRow>
      <div className={COLUMNS}>
        <div>
          <Trouble view={view} time={time} />
          <Section
            id="accounts"
            title="Connected accounts"
            fact={open.length === 1 ? "1 account" : `${open.length} accounts`}
            className="first:mt-0 not-first:mt-9"
          >
            <Table
              caption={`Accounts at ${institutionName}`}
              rows={accounts}
              columns={[
                { head: "Account", header: true, cell: (account) => <AccountName account={account} /> },
                {
                  head: "Balance from",
                  phone: "BELOW",
                  cell: ({ balanceAt }) => <BalanceAge at={balanceAt} time={time} />,
                },
                {
                  head: accounts.every(({ isKnown }) => isKnown) ? "Balance" : "Last known",
                  kind: "MONEY",
                  cell: ({ balanceInCents, isKnown }) => <Amount cents={balanceInCents} quiet={!isKnown} />,
                },
              ]}
            />
          </Section>
          <RefreshDays view={view} time={time} />
        </div>
        <SideColumn>
          <HeldUp view={view} />
          {view.status === "DISCONNECTED" ? null : (
            <section>
              <h2 className="text-base font-semibold">If you disconnect</h2>
              <p className="text-ink-2">
                The accounts leave your totals, their history stays, and transfers on their way still settle.
                {viewer.canDecide
                  ? null
                  : " Only owners and co-owners can refresh, sign in again or disconnect."}
              </p>
            </section>
          )}
        </SideColumn>
      </div>
    </div>
  );
}

function titleOf({ institutionName, status, failingSince }: ConnectionPageView): string {
  if (status === "DISCONNECTED") return `${institutionName} is disconnected`;
  if (status === "NEEDS_SIGN_IN") return `${institutionName} needs you to sign in again`;
  return failingSince === null ? `${institutionName} is connected` : `${institutionName} does not answer`;
}

function State({ view, time }: { view: ConnectionPageView; time: TimeContext }) {
  const { status, failingSince, lastRefreshedAt, nextRefreshAt, connectedAt } = view;
  if (status === "DISCONNECTED") {
    return (
      <Status tone="mute" icon={<CircleMinus aria-hidden="true" />}>
        Ended
      </Status>
    );
  }
  if (failingSince !== null) {
    return (
      <>
        <Status tone="red" icon={<Unplug aria-hidden="true" />}>
          Not refreshing
        </Status>
        <span>
          Since <Moment at={failingSince} time={time} format={formatAfterWord} />
          {nextRefreshAt === null ? null : (
            <>
              , next try <Moment at={nextRefreshAt} time={time} format={formatAfterWord} />
            </>
          )}
        </span>
      </>
    );
  }
  return (
    <>
      <Status tone="mute" icon={<CircleCheck aria-hidden="true" />}>
        Refreshing
      </Status>
      <span>
        {lastRefreshedAt === null ? (
          <>
            Connected <Moment at={connectedAt} time={time} format={formatAfterWord} />; reading its history
          </>
        ) : (
          <>
            Last <Moment at={lastRefreshedAt} time={time} format={formatAfterWord} />
          </>
        )}
        {nextRefreshAt === null ? null : (
          <>
            , next <Moment at={nextRefreshAt} time={time} format={formatAfterWord} />
          </>
        )}
      </span>
    </>
  );
}

function Trouble({ view, time }: { view: ConnectionPageView; time: TimeContext }) {
  const { status, failingSince, errorCode, lastRefreshedAt, isServed } = view;
  const from =
    lastRefreshedAt === null ? null : (
      <>
        Balances below are from <Moment at={lastRefreshedAt} time={time} format={formatAfterWord} />.{" "}
      </>
    );
  if (status === "DISCONNECTED") {
    return (
      <Note>
        <b>These accounts are no longer read.</b> {from}You can pay into them, not draw from them.
      </Note>
    );
  }
  if (!isServed) {
    return (
      <Note tone="red">
        <b>This connection is not refreshed.</b> It belongs to a provider other than the one this Sluice uses.{" "}
        {from}
      </Note>
    );
  }
  if (status === "NEEDS_SIGN_IN") {
    return (
      <Note tone="red">
        <b>The bank ended the connection.</b> Banks do this after about 90 days or a new password. {from} No
        money moved. <Code code={errorCode} />
      </Note>
    );
  }
  if (failingSince === null) return null;
  return (
    <Note tone="red">
      <b>The bank did not answer.</b> Sluice tries again automatically. {from}No money moved.{" "}
      <Code code={errorCode} />
    </Note>
  );
}

function Code({ code }: { code: string | null }) {
  return code === null ? null : <span className="font-mono tracking-[-0.01em] text-[12px]">{code}</span>;
}

function AccountName({ account }: { account: ConnectionAccountView }) {
  return (
    <>
      <Link className={LINK} href={account.href}>
        {account.name}
      </Link>
      <span className={SUBLINE}>
        {account.numberEnding === null ? null : `••••${account.numberEnding}, `}
        {TYPE_WORDS[account.externalAccountType]}
        {account.isClosed ? ", closed here" : null}
      </span>
    </>
  );
}

function BalanceAge({ at, time }: { at: string | null; time: TimeContext }) {
  if (at === null) return <span className="text-ink-3">Not known yet</span>;
  return (
    <span className="inline-flex items-start gap-2 text-ink-2 [&_svg]:size-4 [&_svg]:mt-0.5 [&_svg]:text-ink-3">
      <Clock aria-hidden="true" />
      <Moment at={at} time={time} />
    </span>
  );
}

function HeldUp({ view: { heldUp, status, failingSince } }: { view: ConnectionPageView }) {
  const isStopped = status !== "ACTIVE" || failingSince !== null;
  const { proposals, rules } = heldUp;
  return (
    <section>
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE}>{isStopped ? "Blocked by this" : "Depends on it"}</h2>
      </div>
      {proposals.map(({ id, href, toName, amountInCents }) => (
        <Held
          key={id}
          icon={<Clock aria-hidden="true" />}
          title={
            <Link className={LINK} href={href}>
              Pull for {toName}
            </Link>
          }
        >
          {formatCents(amountInCents)} waits for a decision.
          {isStopped
            ? " It cannot be drawn while the balance is unknown; unknown is never treated as zero."
            : null}
        </Held>
      ))}
      {rules.map(({ id, href, name }) => (
        <Held
          key={id}
          icon={<Waypoints aria-hidden="true" />}
          title={
            <Link className={LINK} href={href}>
              {name}
            </Link>
          }
        >
          {isStopped
            ? "Uses one of these accounts. It moves nothing that depends on an unknown balance."
            : "Uses one of these accounts."}
        </Held>
      ))}
      {proposals.length === 0 ? (
        <Held icon={<CircleMinus className="text-ink-3" aria-hidden="true" />} title="No waiting transfer">
          No transfer that waits for a decision draws from these accounts.
        </Held>
      ) : null}
      {rules.length === 0 ? (
        <Held icon={<CircleMinus className="text-ink-3" aria-hidden="true" />} title="No rule depends on it">
          No active rule uses these accounts.
        </Held>
      ) : null}
    </section>
  );
}

function Held({ icon, title, children }: { icon: ReactNode; title: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[22px_1fr] items-start gap-x-3 py-3.5 border-b border-rule break-inside-avoid [&_p]:text-sm/4.75 [&_p]:text-ink-3">
      {icon}
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </div>
  );
}
