import { ArrowRight, Undo2 } from "lucide-react";
import { PANEL, PANEL_WITH_BUTTONS } from "@/components/layout/panel";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { CancelTransfer } from "@/components/parts/approvals/cancel-transfer";
import { methodWords } from "@/components/parts/approvals/history";
import { NextLink } from "@/components/parts/approvals/next-link";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { accessEnded } from "@/components/parts/approvals/question";
import { formatShortDay, formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { formatTimeLeft } from "@/components/time/time-left";
import { buttonClass } from "@/components/ui/button";
import { Gauge } from "@/components/ui/gauge";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Initials } from "@/components/ui/initials";
import { Status } from "@/components/ui/status";
import { KEY_NAME, SUBLINE } from "@/components/ui/text-styles";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { DENIAL_REASON_WORDS } from "@/lib/contract/approvals/denial";
import { formatCents } from "@/lib/contract/format-cents";
import { ROLE_WORD } from "@/lib/contract/members";
import type { ApprovalView, DecisionView } from "@/lib/views/approvals/get-approval";

interface EndedPanelProps {
  view: ApprovalView;
  inboxHref: string;
}

/** The outcome, and where to go from here. */
export function EndedPanel({ view, inboxHref }: EndedPanelProps) {
  return (
    <section className={PANEL_WITH_BUTTONS} aria-label="Decision">
      <h2 className="sr-only">Decision</h2>
      {view.status === "EXPIRED" ? <TimeOver view={view} /> : <WhoDecided view={view} />}
      <WhatNext view={view} inboxHref={inboxHref} />
      {view.kind === "TRANSFER" && view.canCancel ? (
        <CancelTransfer
          transferId={view.id}
          amount={formatCents(view.amountInCents)}
          sourceName={view.source.name}
        />
      ) : null}
      {view.movedBackHref ? (
        <a className={buttonClass({ kind: "outlined", wide: true })} href={view.movedBackHref}>
          <Undo2 />
          See the transfer back
        </a>
      ) : null}
      {view.moveBackHref ? (
        <a className={buttonClass({ kind: "outlined", wide: true })} href={view.moveBackHref}>
          <Undo2 />
          Move it back
        </a>
      ) : null}
    </section>
  );
}

function WhoDecided({ view }: { view: ApprovalView }) {
  const { decision, status, viewer, time } = view;
  if (status === "REVOKED") return <AccessEnded view={view} />;
  if (!decision) return <ApprovalStatusChip status={status} canDecide={viewer.canDecide} />;
  const isApproval = decision.kind === "APPROVED";
  return (
    <>
      <p className="[&_.status]:text-[15px]">
        <Status tone={isApproval ? "teal" : "red"} icon={isApproval ? <GateOpenIcon /> : <GateClosedIcon />}>
          {decision.byViewer ? "You" : decision.byName} {isApproval ? "approved" : "denied"} this
        </Status>
      </p>
      <p className="mt-1 text-sm text-ink-3">
        <Moment at={decision.at} time={time} />, {confirmedWith(decision)}.
      </p>
      {decision.note ? <p className="mt-3 wrap-anywhere">“{decision.note}”</p> : null}
      {decision.reason ? <ReasonForProgram view={view} reason={decision.reason} /> : null}
    </>
  );
}

/** What the program reads, unlike the note. */
function ReasonForProgram({
  view: { requester, time },
  reason: { kind, text, askAgainAfter },
}: {
  view: ApprovalView;
  reason: NonNullable<DecisionView["reason"]>;
}) {
  return (
    <div className="mt-4 border-t border-rule pt-3">
      <p className="text-sm text-ink-3">
        Said to <span className={KEY_NAME}>{requester.name}</span>
      </p>
      <p className="mt-0.5 font-semibold">
        {DENIAL_REASON_WORDS[kind]}
        {askAgainAfter ? `, until ${formatShortDay(askAgainAfter, time)}` : ""}
      </p>
      {text ? <p className="mt-1 wrap-anywhere">“{text}”</p> : null}
    </div>
  );
}

function AccessEnded({ view: { requester, history, time } }: { view: ApprovalView }) {
  const revoked = history.find((item) => item.kind === "REVOKED");
  return (
    <>
      <p className="[&_.status]:text-[15px]">
        <Status tone="red" icon={<GateClosedIcon />}>
          {accessEnded({ requester })}
        </Status>
      </p>
      <p className="mt-1 text-sm text-ink-3">
        {revoked?.byName
          ? `${revoked.byName} ${requester.kind === "ASSISTANT" ? "disconnected" : "revoked"} `
          : "Access ended for "}
        <span className={KEY_NAME}>{requester.name}</span>
        {revoked ? (
          <>
            {", "}
            <Moment at={revoked.at} time={time} />
          </>
        ) : null}
        . Its open proposals were denied. Nothing moved.
      </p>
    </>
  );
}

function confirmedWith({ method, passkeyName }: DecisionView): string {
  return passkeyName ? `with the passkey on ${passkeyName}` : methodWords(method);
}

function TimeOver({ view: { createdAt, expiresAt, time } }: { view: ApprovalView }) {
  const hours = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000);
  return (
    <>
      <p className="mb-2.5 text-[17px] font-semibold">Expired after {hours} hours</p>
      <Gauge percent={0} tone="off" />
      <p className="text-sm text-ink-3 mx-0 mt-2 mb-4">
        Closed <Moment at={expiresAt} time={time} format={formatWeekdayMoment} />.
      </p>
    </>
  );
}

function WhatNext({
  view: { id, status, next, otherWaitingCount, viewer, time },
  inboxHref,
}: {
  view: ApprovalView;
  inboxHref: string;
}) {
  if (!next || !viewer.canDecide) {
    return (
      <NextLink
        className={buttonClass({ kind: "outlined", wide: true })}
        proposalId={id}
        href={inboxHref}
        isNext={false}
      >
        All approvals
        <ArrowRight />
      </NextLink>
    );
  }
  const leftMs = Date.parse(next.expiresAt) - Date.parse(time.nowAt);
  return (
    // On phones the bar at the bottom shows this.
    <div className={`max-sm:hidden! ${status === "EXPIRED" ? "mt-1" : "mt-4.5"}`}>
      <NextLink
        className={buttonClass({ kind: "primary", size: "large", wide: true })}
        proposalId={id}
        href={next.href}
        isNext
      >
        {nextWords(next.subject)}
        <kbd className="max-lg:hidden">N</kbd>
      </NextLink>
      <p className="text-sm text-ink-3 mt-3.5">
        {otherWaitingCount === 1 ? "1 more proposal needs" : `${otherWaitingCount} more proposals need`} your
        decision. This one closes in {formatTimeLeft(leftMs)}.
      </p>
    </div>
  );
}

/** `Next: $4,250.00 to Taxes` */
function nextWords(subject: ProposalSubjectView): string {
  const { to } = endsOf(subject);
  if (subject.amountInCents === null) return `Next: a run of ${to}`;
  return `Next: ${formatCents(subject.amountInCents)} to ${to}`;
}

/** For members who may not decide: lists those who may. */
export function ViewerPanel({ view }: { view: ApprovalView }) {
  const { deciders, viewer, expiresAt, time } = view;
  return (
    <section className={PANEL} aria-labelledby="viewer">
      <h2 className="text-base font-semibold" id="viewer">
        You can view this but not decide
      </h2>
      <p className="text-ink-2">
        Your role is {ROLE_WORD[viewer.role].toLowerCase()}. {whoDecides(deciders.length)}
      </p>
      <ul className="grid gap-3 mx-0 mt-4 mb-5 [&_li]:flex [&_li]:items-center [&_li]:gap-3">
        {deciders.map(({ id, name, role }) => (
          <li key={id}>
            <Initials name={name} isLarge />
            <span>
              <b>{name}</b>
              <span className={SUBLINE}>{ROLE_WORD[role]}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-3">
        Closes <Moment at={expiresAt} time={time} format={formatWeekdayMoment} />.
      </p>
    </section>
  );
}

function whoDecides(count: number): string {
  if (count === 1) return "Only this person can decide.";
  return count === 2 ? "Only these two can decide." : `Only these ${count} can decide.`;
}
