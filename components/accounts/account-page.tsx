import { ChevronRight } from "lucide-react";
import { AccountAbout, AccountLinks } from "@/components/accounts/account-about";
import { AccountRules } from "@/components/accounts/account-rules";
import { ActionForm } from "@/components/accounts/action-form";
import { BalanceChart } from "@/components/accounts/balance-chart";
import { MovementsTable } from "@/components/accounts/movements-table";
import { WaitingMovements } from "@/components/accounts/waiting-movements";
import { Amount } from "@/components/money/amount";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountPageView } from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface AccountPageProps {
  view: AccountPageView;
  /** Opens a closed account again; answers why not. */
  reopen: (previous: string | null) => Promise<string | null>;
}

/** One account: what it holds, how that came about, what it is, and what waits. */
export function AccountPage({ view, reopen }: AccountPageProps) {
  return (
    <div className="account">
      <p className="crumb">
        <Link href="/accounts">Accounts</Link>
        <ChevronRight className="ic" />
        <span>{view.name}</span>
      </p>
      <Head view={view} />
      <Unusual view={view} reopen={reopen} />
      <div className="cols">
        <div>
          {view.history ? <BalanceChart view={view} history={view.history} /> : null}
          <MovementsTable view={view} />
        </div>
        <aside className="side" aria-label={`About ${view.name}`}>
          {view.waiting.length > 0 ? <WaitingMovements view={view} /> : null}
          <AccountAbout view={view} />
          <AccountLinks view={view} />
          <AccountRules view={view.rules} time={view.time} />
        </aside>
      </div>
    </div>
  );
}

function Head({ view }: { view: AccountPageView }) {
  return (
    <div className="page-h">
      <div>
        <h1 className="h1">{view.name}</h1>
        <p className="acc-b">
          <Amount cents={view.balanceInCents} size="3xl" />
        </p>
        <p className="ink2">
          <Available view={view} />
        </p>
      </div>
      <div className="page-a">
        {view.history ? (
          <Link className={buttonClass({ kind: "quiet" })} href={`/accounts/${view.id}/statement`}>
            Statement
          </Link>
        ) : null}
        {view.closeHref ? (
          <Link className={buttonClass({ kind: "quiet" })} href={view.closeHref}>
            Close
          </Link>
        ) : null}
        {view.editHref ? (
          <Link className={buttonClass({ kind: "outlined" })} href={view.editHref}>
            Edit
          </Link>
        ) : null}
        {view.moveHref ? (
          <Link className={buttonClass({ kind: "primary" })} href={view.moveHref}>
            Move money
          </Link>
        ) : null}
      </div>
    </div>
  );
}

/** `$18,371.55 available, $49.00 on its way out. Updated today, 11:24.` */
function Available({ view }: { view: AccountPageView }) {
  if (view.balanceAt === null) return <>Its bank has not said yet what it holds.</>;
  return (
    <>
      {view.kind === "LIABILITY" ? "What you owe. " : null}
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

/** What nobody expects of an account: closed with money in it, or below zero. */
function Unusual({ view, reopen }: AccountPageProps) {
  const balance = view.balanceInCents ?? 0;
  const isManaged = view.history !== null;
  if (view.closedAt) {
    return (
      <div className="acc-u">
        <Note>{closedWords(view, isManaged ? balance : 0)}</Note>
        {view.canReopen ? <ActionForm action={reopen} label="Open it again" busyLabel="Opening" /> : null}
      </div>
    );
  }
  if (!isManaged || balance >= 0) return null;
  return (
    <div className="acc-u">
      <Note>
        The bank took back money that had already moved on, so this account is {formatCents(-balance)} below
        zero. What comes in next fills that first.
      </Note>
    </div>
  );
}

function closedWords({ name, viewer }: AccountPageView, balanceInCents: number): string {
  if (balanceInCents === 0) return `${name} is closed. Its history stays.`;
  const happened =
    balanceInCents > 0
      ? `The bank booked ${formatCents(balanceInCents)} into it after it was closed.`
      : `The bank took ${formatCents(-balanceInCents)} back from it after it was closed.`;
  const way = viewer.canDecide
    ? "Open it again to move that."
    : "An owner or co-owner can open it again to move that.";
  return `${name} is closed. ${happened} ${way}`;
}
