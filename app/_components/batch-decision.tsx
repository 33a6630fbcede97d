"use client";

import { useEffect, useRef, useState } from "react";
import { destinationsOf, sourcesOf, sumOfLines, transfersWords } from "@/app/_components/batch-words";
import { beginBatchDecision, decideBatch } from "@/app/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { PANEL } from "@/components/layout/panel";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { Amount } from "@/components/money/amount";
import { DecisionButtons, useSecondPress } from "@/components/parts/approvals/decision-buttons";
import { DenialForm } from "@/components/parts/approvals/decision-dialogs";
import { mayApprove, useTimeLeft } from "@/components/parts/approvals/decision-island";
import {
  type Blocked,
  DecisionNoteBox,
  type DecisionNotice,
  hasSigned,
} from "@/components/parts/approvals/decision-notice";
import { rememberDecided } from "@/components/parts/approvals/next-link";
import { noticeOf } from "@/components/parts/approvals/not-decided";
import { SignatureSegments } from "@/components/parts/approvals/signature-segments";
import { signingLine, whyNoSignature } from "@/components/parts/approvals/signing-words";
import { WithdrawSignature } from "@/components/parts/approvals/withdraw-signature";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";
import { DefinitionList } from "@/components/ui/definition-list";
import { Dialog } from "@/components/ui/dialog";
import { Gauge } from "@/components/ui/gauge";
import { useKeys, useKeysRest } from "@/components/ui/single-keys/use-keys";
import { KEY_NAME } from "@/components/ui/text-styles";
import type { BatchSubject } from "@/lib/contract/approvals/batch";
import { type BatchMoney, moneyDigest } from "@/lib/contract/approvals/batch-money";
import type { DecideResult } from "@/lib/contract/confirmation/decision";
import { formatCents } from "@/lib/contract/format-cents";
import type { BatchApprovalView } from "@/lib/views/approvals/get-batch-approval";

interface BatchDecisionProps {
  view: BatchApprovalView;
  /** The address asks for the denial, as the notification's button does. */
  opensDenial: boolean;
  struck: ReadonlySet<number>;
  left: BatchApprovalView["lines"];
  money: BatchMoney;
}

type Decided = Exclude<DecideResult, { kind: "NOT_CONFIRMED" | "REFUSED" }>;
interface Intent {
  subject: BatchSubject;
  note: string | null;
}

/** Approve is disabled this long after what it signs has changed. */
const SETTLE_MS = 1_000;

/** One signature for what is left of a batch, or a denial of all of it: a panel, and a bar on phones. */
export function BatchDecision({ view, opensDenial, struck, left, money }: BatchDecisionProps) {
  const { shared, lines, time } = view;
  const signing = shared.signing && signingLine(shared.signing);
  const verb = signing ? "Sign" : "Approve";
  const noSignature = whyNoSignature(shared.signing);
  const [isDenying, setDenying] = useState(false);
  // After hydration, because a dialog opens in the browser.
  useEffect(() => {
    if (opensDenial) setDenying(true);
  }, [opensDenial]);
  const deciding = useConfirmedAction<Decided, Intent>({
    begin: ({ subject }, shown) => beginBatchDecision(subject, shown),
    act: ({ subject, note }, confirmation, shown) => decideBatch({ ...subject, note, confirmation }, shown),
    whenLost: outcomeUnknown("your decision may have arrived. Reload this page to see; it can’t move twice."),
    stepUp: ({ subject }) => {
      const words = `${subject.decision === "APPROVE" ? verb : "Deny"} ${transfersWords(subject.lines.length || lines.length)}`;
      return { title: words, confirmLabel: words };
    },
    onDone: (result) => {
      setDenying(false);
      if (result.kind === "DECIDED") rememberDecided(view.id);
    },
    refreshesWhenRefused: true,
  });
  const leftMs = useTimeLeft(time.nowAt, view.expiresAt);
  const isSettling = useSettling(view.version);
  const blocked =
    left.length === 0 ||
    shared.areGatesClosed ||
    noSignature !== null ||
    money.sources.some(({ outcome }) => outcome === "BLOCKS") ||
    money.outgoing?.outcome === "BLOCKS";
  const canApprove =
    !blocked &&
    mayApprove({ blockedBecause: null, isSettling, leftMs, busyWith: deciding.isBusy ? "APPROVE" : null });
  const means = useMeans(shared.viewer, time.nowAt);
  const second = useSecondPress(canApprove);
  const approve = () => deciding.run({ subject: approvalOf(view, struck, left, money), note: null });
  useKeys(
    {
      a: () => canApprove && (second.isArmed ? approve() : second.arm()),
      d: () => !deciding.isBusy && setDenying(true),
    },
    second.disarm,
  );
  useKeysRest([view.version]);

  const sum = formatCents(sumOfLines(left));
  const timeLeft = formatTimeLeft(leftMs);
  const wholeMs = Date.parse(view.expiresAt) - Date.parse(view.createdAt);
  const notice = noticeFor(deciding, time);
  const isApproving = deciding.isBusy && deciding.input?.subject.subject.decision !== "DENY";
  const approves = `${verb} ${left.length}`;
  const whyNot = whyBlocked(view, left.length, { noSignature, isBlocked: blocked });
  const buttons = (place: "panel" | "bar") => (
    <DecisionButtons
      place={place}
      means={means}
      approve={{
        label: isApproving
          ? signing
            ? "Signing"
            : "Approving"
          : place === "panel"
            ? withMeans(approves, means)
            : approves,
        isBusy: isApproving,
        canPress: canApprove,
        onPress: approve,
      }}
      deny={{
        label: place === "panel" ? `Deny all ${lines.length}` : "Deny all",
        canPress: !deciding.isBusy,
        onPress: () => setDenying(true),
      }}
      second={second}
      pressAgain={`Press again to ${verb.toLowerCase()} ${sum}.`}
      withdraw={hasSigned(whyNot) ? <WithdrawSignature proposalId={view.signedId} place={place} /> : null}
    />
  );
  const noteBox = (place: "panel" | "bar") => (
    <DecisionNoteBox
      place={place}
      notice={notice}
      blockedBecause={whyNot}
      onRecoveryCode={() => deciding.input && deciding.runWithRecoveryCode(deciding.input.subject)}
    />
  );
  return (
    <>
      <section
        className={`${PANEL} print:hidden max-sm:hidden! [&_.button_+_.button]:mt-2.5`}
        aria-labelledby="decision"
      >
        <h2 className="flex items-baseline justify-between mb-2.5" id="decision">
          <b className="text-[17px] font-semibold">
            {left.length} of {lines.length} lines
          </b>
          <span className="text-sm font-normal text-ink-3">{timeLeft} left</span>
        </h2>
        {signing ? (
          <SignatureSegments given={signing.givenCount} needed={signing.neededCount} />
        ) : (
          <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" label={`${timeLeft} left to decide`} />
        )}
        <p className="text-sm text-ink-3 mx-0 mt-2 mb-4">
          {signing
            ? signing.line
            : `One signature for ${left.length === 1 ? "1 line" : `${left.length} lines`}.`}{" "}
          All of them are accepted, or none is. Lines that are struck out are denied.
        </p>
        <DefinitionList columns="values" gap="narrow" className="mb-5">
          <dt>{movesLabel(view, left)}</dt>
          <dd>
            <Amount cents={sumOfLines(left)} />
          </dd>
          <dt>Struck out</dt>
          <dd>
            <Amount cents={view.totalInCents - sumOfLines(left)} />
          </dd>
          <dt>Follows by rule{struck.size > 0 ? ", if all are approved" : ""}</dt>
          <dd>
            <Amount cents={view.knockOn?.followsInCents ?? 0} />
          </dd>
        </DefinitionList>
        {noteBox("panel")}
        {buttons("panel")}
        <p className="mt-3.5 text-sm text-ink-3">
          <kbd>J</kbd> <kbd>K</kbd> move over the lines, <kbd>X</kbd> strikes one out or puts it back.
        </p>
      </section>
      <StickyBar label="Your decision">
        {noteBox("bar")}
        <BarFacts>
          <span>
            <b>{sum}</b> to {left.length}
            {struck.size > 0 ? `, ${struck.size} struck out` : ""}
          </span>
          <span className="whitespace-nowrap">{timeLeft}</span>
        </BarFacts>
        {buttons("bar")}
      </StickyBar>
      {isDenying ? (
        <DenyBatchDialog
          view={view}
          isBusy={deciding.isBusy}
          notice={notice}
          onDeny={(note, reason) =>
            deciding.run({
              subject: {
                batchId: view.id,
                decision: "DENY",
                lines: [],
                struckIds: [],
                money: "",
                asks: "",
                reason,
              },
              note: note.trim() || null,
            })
          }
          onClose={() => setDenying(false)}
        />
      ) : null}
    </>
  );
}

/** Signs exactly these lines as shown, and exactly these strikes. */
function approvalOf(
  { id, lines, asks }: BatchApprovalView,
  struck: ReadonlySet<number>,
  left: BatchApprovalView["lines"],
  money: BatchMoney,
): BatchSubject {
  return {
    batchId: id,
    decision: "APPROVE",
    lines: left.map(({ transferId, digest }) => ({ transferId, digest })),
    struckIds: lines.filter(({ line }) => struck.has(line)).map(({ transferId }) => transferId),
    money: moneyDigest(money),
    asks,
    reason: null,
  };
}

function movesLabel({ accounts }: BatchApprovalView, left: BatchApprovalView["lines"]): string {
  const outside = new Set(accounts.filter(({ isOutside }) => isOutside).map(({ id }) => id));
  const isInside = left.every(
    ({ sourceId, destinationId }) => !outside.has(sourceId) && !outside.has(destinationId),
  );
  return isInside ? "Moves at once" : "Goes to the bank";
}

function whyBlocked(
  { shared }: BatchApprovalView,
  leftCount: number,
  { noSignature, isBlocked }: { noSignature: Blocked | null; isBlocked: boolean },
): Blocked | null {
  if (leftCount === 0)
    return { title: "Every line is struck out.", text: "Put one back, or deny the batch." };
  if (shared.areGatesClosed) {
    return {
      title: "Not now.",
      text: "All gates are closed. Open them to approve; you can still deny. The time to decide goes on.",
    };
  }
  if (noSignature) return noSignature;
  return isBlocked
    ? { title: "It would fail.", text: "The checks say why. Strike out lines, or wait." }
    : null;
}

function noticeFor(
  {
    result,
    refusal,
    input,
    isBusy,
  }: {
    result: Decided | null;
    refusal: { message: string; needsProof?: boolean } | null;
    input: { subject: Intent } | null;
    isBusy: boolean;
  },
  time: BatchApprovalView["time"],
): DecisionNotice | null {
  if (isBusy) return null;
  const decision = input?.subject.subject.decision ?? "APPROVE";
  if (refusal)
    return { tone: "red", text: refusal.message, lines: [], offersRecoveryCode: refusal.needsProof ?? false };
  return result === null || result.kind === "DECIDED" ? null : noticeOf(result, decision, time);
}

/** True for a moment after what the page shows has changed, so that nobody signs what they have not seen. */
function useSettling(version: string): boolean {
  const [seen, setSeen] = useState(version);
  const isSettling = seen !== version;
  useEffect(() => {
    if (!isSettling) return;
    const timer = setTimeout(() => setSeen(version), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isSettling, version]);
  return isSettling;
}

interface DenyBatchDialogProps {
  view: BatchApprovalView;
  isBusy: boolean;
  notice: DecisionNotice | null;
  onDeny: (note: string, reason: BatchSubject["reason"]) => void;
  onClose: () => void;
}

function DenyBatchDialog({ view, isBusy, notice, onDeny, onClose }: DenyBatchDialogProps) {
  const { requester } = view.shared;
  const noteField = useRef<HTMLTextAreaElement>(null);
  const isProgram = requester.kind !== "MEMBER";
  return (
    <Dialog
      title={`Deny all ${transfersWords(view.lines.length)}?`}
      initialFocus={noteField}
      onCancel={onClose}
    >
      <p className="mt-2 text-ink-2">
        {formatCents(view.totalInCents)} to {destinationsOf(view, view.lines)} stays in{" "}
        {sourcesOf(view.lines)}. <span className={isProgram ? KEY_NAME : undefined}>{requester.name}</span>{" "}
        learns of it
        {isProgram ? " and can read the reason." : "."}
      </p>
      <DenialForm
        requesterName={requester.name}
        isProgram={isProgram}
        time={view.time}
        isBusy={isBusy}
        noteField={noteField}
        notice={
          <DecisionNoteBox place="panel" notice={notice} blockedBecause={null} onRecoveryCode={onClose} />
        }
        keepLabel="Keep waiting"
        denyLabel={`Deny all ${view.lines.length}`}
        onDeny={onDeny}
        onClose={onClose}
      />
    </Dialog>
  );
}
