import { ArrowRight, Undo2 } from "lucide-react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { BalanceTable } from "@/components/approvals/balance-table";
import { blockedBecause } from "@/components/approvals/blocked-because";
import { Checks } from "@/components/approvals/checks";
import { DecisionIsland } from "@/components/approvals/decision-island";
import { EndedPanel } from "@/components/approvals/ended-panel";
import { History } from "@/components/approvals/history";
import { gateLabelOf, questionOf } from "@/components/approvals/question";
import { RefreshWhenChanged } from "@/components/approvals/refresh-when-changed";
import { SentRequest } from "@/components/approvals/sent-request";
import { ViewerPanel } from "@/components/approvals/viewer-panel";
import { WhatHappensNext } from "@/components/approvals/what-happens-next";
import { WhoAsks } from "@/components/approvals/who-asks";
import { Amount } from "@/components/money/amount";
import { PageSluice, type SluiceEnd } from "@/components/sluice/page-sluice";
import { sluiceState } from "@/components/sluice/sluice-state";
import { formatClock, formatWeekdayMoment } from "@/components/time/format-instant";
import { formatTimeLeft } from "@/components/time/format-time-left";
import { buttonClass } from "@/components/ui/button";
import { Quote } from "@/components/ui/quote";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalAccountView, ApprovalView } from "@/lib/contract/views/approval-view";
import type { CancelAction, DecisionActions } from "@/lib/contract/views/decision";

interface ApprovalPageProps {
  view: ApprovalView;
  actions: DecisionActions & { cancel: CancelAction };
  /** Answers `{ "version": string }` cheaply. */
  refreshPath: string;
  inboxHref: string;
}

const POLL_WAITING_MS = 10_000;
const POLL_ON_ITS_WAY_MS = 2_000;

/**
 * One proposed transfer, in every state. The order is the same on every width: question, drawing, reason and asker,
 * what will happen, checks, raw request; decision and history at the side. What the transfer sets off by rule will
 * stand between "What will happen" and the checks.
 */
export function ApprovalPage({ view, actions, refreshPath, inboxHref }: ApprovalPageProps) {
  return (
    <div className="cols ap">
      <div>
        <StatusLine view={view} />
        <QuestionHead view={view} />
        <div className="ap-flow">
          <PageSluice
            state={sluiceState(view.status)}
            source={sluiceEnd(view.source)}
            destination={sluiceEnd(view.destination)}
            amountInCents={view.amountInCents}
            gateLabel={gateLabelOf(view)}
          />
        </div>
        <div className="why">
          <section aria-labelledby="reason">
            <h2 className="h3" id="reason">
              {view.reason ? "Its reason, word for word" : "Its reason"}
            </h2>
            {view.reason ? <Quote words={view.reason} /> : <p className="ink2">It gave none.</p>}
          </section>
          <WhoAsks asker={view.asker} time={view.time} />
        </div>
        <Consequences view={view} inboxHref={inboxHref} />
        {view.request ? <SentRequest request={view.request} view={view} /> : null}
      </div>
      <div className="side">
        <div className="side-in">
          <SidePanel view={view} actions={actions} inboxHref={inboxHref} />
          <History view={view} />
        </div>
      </div>
      {isLive(view) ? (
        <RefreshWhenChanged
          path={refreshPath}
          version={view.version}
          intervalMs={view.status === "WAITING" ? POLL_WAITING_MS : POLL_ON_ITS_WAY_MS}
        />
      ) : null}
    </div>
  );
}

function isLive({ status }: ApprovalView): boolean {
  return status === "WAITING" || status === "ON_ITS_WAY";
}

function StatusLine({ view }: { view: ApprovalView }) {
  return (
    <div className="ask-s">
      <ApprovalStatusChip status={view.status} canDecide={view.viewer.canDecide} />
      <span title={view.id}>
        Transfer <span className="mono">{view.shortId}</span>
      </span>
      {view.achLabel ? (
        <span className="hide-s">
          ACH label <span className="mono">{view.achLabel}</span>
        </span>
      ) : null}
    </div>
  );
}

/** Heading and amount read as one sentence; the line under it is announced when the state changes. */
function QuestionHead({ view }: { view: ApprovalView }) {
  const { before, after, lede } = questionOf(view);
  return (
    <>
      <h1 className={view.status === "EXPIRED" || view.status === "CANCELLED" ? "ask faded" : "ask"}>
        <span className="q">{before}</span> <Amount cents={view.amountInCents} size="4xl" />{" "}
        <span className="q">{after}</span>
      </h1>
      <p className="lede ask-l" role="status">
        {lede}
      </p>
    </>
  );
}

/** A debt is no water: its basin is drawn dry, and what is paid towards it is all that would stand in it. */
function sluiceEnd({ name, kind, nowInCents }: ApprovalAccountView): SluiceEnd {
  const isOwed = kind === "LIABILITY";
  const caption =
    nowInCents === null ? (
      <span className="dim">Balance not known</span>
    ) : (
      <>
        {formatCents(nowInCents)} <span className="dim">{isOwed ? "owed" : "now"}</span>
      </>
    );
  return { name, nowInCents: isOwed ? 0 : nowInCents, caption };
}

/** What follows from the state: a forecast, what is under way, or what can be done now. */
function Consequences({ view, inboxHref }: { view: ApprovalView; inboxHref: string }) {
  switch (view.status) {
    case "WAITING":
      return (
        <>
          <Section
            id="will"
            title="What will happen"
            fact={view.viewer.canDecide ? "If you approve now" : "If it is approved now"}
          >
            <BalanceTable balances={view.balances} together={view.together} lastColumn="After" />
          </Section>
          <Checks view={view} />
        </>
      );
    case "ON_ITS_WAY":
      return (
        <>
          <WhatHappensNext view={view} />
          <Section id="balances" title="Balances" fact="Expected once it settles">
            <BalanceTable balances={view.balances} together={view.together} lastColumn="Expected" />
          </Section>
        </>
      );
    case "SETTLED":
    case "FAILED":
    case "RETURNED":
      return <WhatHappensNext view={view} />;
    case "EXPIRED":
      return <AskAgain view={view} inboxHref={inboxHref} />;
    case "DENIED":
    case "CANCELLED":
      return null;
  }
}

function AskAgain({ view, inboxHref }: { view: ApprovalView; inboxHref: string }) {
  return (
    <Section id="can" title="What you can do">
      <ul className="checks">
        <li>
          <Undo2 className="ic look" />
          <div>
            <b>Ask for it again</b>
            <p>
              The proposal cannot be reopened. Ask <span className="key">{view.asker.name}</span> to send a
              new one; it needs a new idempotency key.
            </p>
          </div>
        </li>
        {view.otherWaitingCount > 0 ? (
          <li>
            <ArrowRight className="ic look" />
            <div>
              <b>See what still waits</b>
              <p>
                {view.otherWaitingCount === 1 ? "1 proposal is" : `${view.otherWaitingCount} proposals are`}{" "}
                open.
              </p>
            </div>
            <a className={buttonClass({ kind: "outlined", size: "small" })} href={inboxHref}>
              All approvals
            </a>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}

function SidePanel({ view, actions, inboxHref }: Pick<ApprovalPageProps, "view" | "actions" | "inboxHref">) {
  if (view.status !== "WAITING") {
    return (
      <>
        <EndedPanel view={view} inboxHref={inboxHref} cancel={actions.cancel} />
        <NextBar view={view} />
      </>
    );
  }
  if (!view.viewer.canDecide) return <ViewerPanel view={view} />;
  return (
    <DecisionIsland
      proposalId={view.id}
      digest={view.digest}
      amountInCents={view.amountInCents}
      sourceName={view.source.name}
      askerName={view.asker.name}
      hasPasskey={view.viewer.hasPasskey}
      blockedBecause={blockedBecause(view)}
      createdAt={view.createdAt}
      expiresAt={view.expiresAt}
      closes={`Closes ${formatWeekdayMoment(view.expiresAt, view.time)}.`}
      renderedClock={formatClock(view.time.nowAt, view.time)}
      balances={view.balances.map(({ name, nowInCents }) => ({ name, nowInCents }))}
      time={view.time}
      actions={{ beginConfirmation: actions.beginConfirmation, decide: actions.decide }}
    />
  );
}

/** On phones the way to the next proposal stays in reach of the thumb. */
function NextBar({ view: { next, otherWaitingCount, viewer, time } }: { view: ApprovalView }) {
  if (!next || !viewer.canDecide) return null;
  return (
    <section className="sticky-bar sticky-bar-1" aria-label="Next proposal">
      <span className="sb-t">
        <span>
          {otherWaitingCount === 1 ? "1 more waits for you" : `${otherWaitingCount} more wait for you`}
        </span>
        <span>Next closes in {formatTimeLeft(Date.parse(next.expiresAt) - Date.parse(time.nowAt))}</span>
      </span>
      <a className={buttonClass({ kind: "primary" })} href={next.href}>
        Next proposal
        <ArrowRight className="ic" />
      </a>
    </section>
  );
}
