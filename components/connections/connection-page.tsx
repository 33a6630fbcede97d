import { CircleCheck, CircleMinus, Clock, Unplug, Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import { ConnectCrumb, TYPE_WORDS } from "@/components/connections/connect-words";

import { ConnectionActs } from "@/components/connections/connection-acts";
import { RefreshDays } from "@/components/connections/refresh-days";
import { Amount } from "@/components/money/amount";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  ConnectionAccountView,
  ConnectionActions,
  ConnectionPageView,
} from "@/lib/contract/views/connections-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface ConnectionPageProps {
  view: ConnectionPageView;
  time: TimeContext;
  actions: ConnectionActions;
}

/** Whether the bank answers, how old the balances are, and what that blocks. */
export function ConnectionPage({ view, time, actions }: ConnectionPageProps) {
  const { institutionName, accounts, viewer } = view;
  const open = accounts.filter(({ isClosed }) => !isClosed);
  return (
    <div className="cnn">
      <ConnectCrumb here={institutionName} />
      <div className="page-h">
        <div>
          <h1 className="h1">{titleOf(view)}</h1>
          <p className="cnn-s">
            <State view={view} time={time} />
          </p>
        </div>
        {viewer.canDecide ? <ConnectionActs view={view} actions={actions} /> : null}
      </div>
      <div className="cols">
        <div>
          <Trouble view={view} time={time} />
          <Section
            id="accounts"
            title="Connected accounts"
            fact={open.length === 1 ? "1 account" : `${open.length} accounts`}
          >
            <table className="ledger">
              <caption className="vh">Accounts at {institutionName}</caption>
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col" className="hide-s">
                    Balance from
                  </th>
                  <th scope="col" className="num">
                    {accounts.every(({ isKnown }) => isKnown) ? "Balance" : "Last known"}
                  </th>
                </tr>
              </thead>
              <tbody>
                {accounts.map((account) => (
                  <AccountRow key={account.id} account={account} time={time} />
                ))}
              </tbody>
            </table>
          </Section>
          <RefreshDays view={view} time={time} />
        </div>
        <aside className="side">
          <div className="side-in">
            <HeldUp view={view} />
            {view.status === "DISCONNECTED" ? null : (
              <section>
                <h2 className="h3">If you disconnect</h2>
                <p className="ink2">
                  The accounts leave your totals, their history stays, and transfers on their way still
                  settle.
                  {viewer.canDecide
                    ? null
                    : " Only owners and co-owners can refresh, sign in again or disconnect."}
                </p>
              </section>
            )}
          </div>
        </aside>
      </div>
    </div>
  );
}

/** `today, 11:26`. */
const inSentence = (at: string, time: TimeContext) => formatMoment(at, time).replace(/^Today/, "today");

function titleOf({ institutionName, status, failingSince }: ConnectionPageView): string {
  if (status === "DISCONNECTED") return `${institutionName} is disconnected`;
  if (status === "NEEDS_SIGN_IN") return `${institutionName} needs you to sign in again`;
  return failingSince === null ? `${institutionName} is connected` : `${institutionName} does not answer`;
}

function State({ view, time }: { view: ConnectionPageView; time: TimeContext }) {
  const { status, failingSince, lastRefreshedAt, nextRefreshAt, connectedAt } = view;
  if (status === "DISCONNECTED") {
    return (
      <Status tone="mute" icon={<CircleMinus className="ic" aria-hidden="true" />}>
        Ended
      </Status>
    );
  }
  if (failingSince !== null) {
    return (
      <>
        <Status tone="red" icon={<Unplug className="ic" aria-hidden="true" />}>
          Not refreshing
        </Status>
        <span>
          Since <Moment at={failingSince} time={time} format={inSentence} />
          {nextRefreshAt === null ? null : (
            <>
              , next try <Moment at={nextRefreshAt} time={time} format={inSentence} />
            </>
          )}
        </span>
      </>
    );
  }
  return (
    <>
      <Status tone="mute" icon={<CircleCheck className="ic" aria-hidden="true" />}>
        Refreshing
      </Status>
      <span>
        {lastRefreshedAt === null ? (
          <>
            Connected <Moment at={connectedAt} time={time} format={inSentence} />; reading its history
          </>
        ) : (
          <>
            Last <Moment at={lastRefreshedAt} time={time} format={inSentence} />
          </>
        )}
        {nextRefreshAt === null ? null : (
          <>
            , next <Moment at={nextRefreshAt} time={time} format={inSentence} />
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
        Balances below are from <Moment at={lastRefreshedAt} time={time} format={inSentence} />.{" "}
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
  return code === null ? null : <span className="mono cnn-c">{code}</span>;
}

function AccountRow({ account, time }: { account: ConnectionAccountView; time: TimeContext }) {
  const age =
    account.balanceAt === null ? (
      <span className="dim">Not known yet</span>
    ) : (
      <span className="lk">
        <Clock className="ic" aria-hidden="true" />
        <Moment at={account.balanceAt} time={time} />
      </span>
    );
  return (
    <tr>
      <th scope="row">
        <Link className="link" href={account.href}>
          {account.name}
        </Link>
        <span className="meta blk">
          {account.numberEnding === null ? null : `••••${account.numberEnding}, `}
          {TYPE_WORDS[account.externalAccountType]}
          {account.isClosed ? ", closed here" : null}
        </span>
        <span className="meta blk only-s">{age}</span>
      </th>
      <td className="hide-s">{age}</td>
      <td className="num">
        <Amount cents={account.balanceInCents} quiet={!account.isKnown} />
      </td>
    </tr>
  );
}

function HeldUp({ view: { heldUp, status, failingSince } }: { view: ConnectionPageView }) {
  const isStopped = status !== "ACTIVE" || failingSince !== null;
  const { proposals, rules } = heldUp;
  return (
    <section>
      <div className="sec-h">
        <h2 className="h2">{isStopped ? "Blocked by this" : "Depends on it"}</h2>
      </div>
      {proposals.map(({ id, href, toName, amountInCents }) => (
        <Held
          key={id}
          icon={<Clock className="ic" aria-hidden="true" />}
          title={
            <Link className="link" href={href}>
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
          icon={<Waypoints className="ic" aria-hidden="true" />}
          title={
            <Link className="link" href={href}>
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
        <Held icon={<CircleMinus className="ic dim" aria-hidden="true" />} title="No waiting transfer">
          No transfer that waits for a decision draws from these accounts.
        </Held>
      ) : null}
      {rules.length === 0 ? (
        <Held icon={<CircleMinus className="ic dim" aria-hidden="true" />} title="No rule depends on it">
          No active rule uses these accounts.
        </Held>
      ) : null}
    </section>
  );
}

function Held({ icon, title, children }: { icon: ReactNode; title: ReactNode; children: ReactNode }) {
  return (
    <div className="knock">
      {icon}
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </div>
  );
}
