"use client";

import type { ReactNode } from "react";
import { batchChecks, batchChecksSummary } from "@/app/_components/batch-checks";
import { BatchDecision } from "@/app/_components/batch-decision";
import { BatchLines } from "@/app/_components/batch-lines";
import { AchLabel, BatchReason } from "@/app/_components/batch-parts";
import {
  accountsWords,
  destinationsOf,
  sourcesOf,
  sumOfLines,
  transfersWords,
} from "@/app/_components/batch-words";
import { useStrikes } from "@/app/_components/use-strikes";
import { Acting } from "@/components/act/acting";
import { COLUMNS } from "@/components/layout/columns";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { PageSluice } from "@/components/sluice/page-sluice";
import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { FactLine } from "@/components/ui/fact-line";
import { MONO } from "@/components/ui/text-styles";
import { moneyOf } from "@/lib/contract/approvals/batch-money";
import { formatCents } from "@/lib/contract/format-cents";
import type { BatchApprovalView } from "@/lib/views/approvals/get-batch-approval";

export interface BatchApprovalProps {
  view: BatchApprovalView;
  opensDenial: boolean;
  /** The requester and its record. */
  who: ReactNode;
  history: ReactNode;
  /** Whose signatures it has and waits for; null where one person decides. */
  signatures: ReactNode;
  /** What members see who may not decide. */
  viewerPanel: ReactNode;
}

/**
 * A batch that waits: its lines, which can be struck out, and everything that follows what is left of them: question,
 * drawing, checks, decision.
 */
export function BatchApproval(props: BatchApprovalProps) {
  return (
    <Acting>
      <Striking {...props} />
    </Acting>
  );
}

function Striking({ view, opensDenial, who, history, signatures, viewerPanel }: BatchApprovalProps) {
  const { lines, accounts, room, shared } = view;
  const { struck, at, strike } = useStrikes(lines);
  const left = lines.filter(({ line }) => !struck.has(line));
  const money = moneyOf(
    accounts,
    room,
    left.map(({ line, sourceId, destinationId, amountInCents }) => ({
      line,
      sourceAccountId: sourceId,
      destinationAccountId: destinationId,
      amountInCents,
    })),
  );
  const checks = batchChecks(view, struck, money);
  const { canDecide } = shared.viewer;
  const maySign = canDecide && shared.signing?.viewer.mayNot == null;
  return (
    <div className={`${COLUMNS} max-sm:gap-8`}>
      <div>
        <FactLine as="div" className="mb-5">
          <ApprovalStatusChip
            status="WAITING"
            canDecide={maySign}
            needsSignatures={shared.signing !== null}
            isAssistant={shared.requester.kind === "ASSISTANT"}
          />
          <span title={view.id}>
            Batch <span className={MONO}>{view.shortId}</span>
          </span>
          <span role="status">
            {transfersWords(lines.length)}
            {struck.size > 0 ? `, ${struck.size} struck out` : ""}
          </span>
          <AchLabel lines={lines} />
        </FactLine>
        <Question view={view} struckCount={struck.size} left={left} />
        <BatchDrawing view={view} left={left} />
        <BatchReason reason={view.reason}>{who}</BatchReason>
        <BatchLines view={view} struck={struck} at={at} onStrike={maySign ? strike : null} />
        <Section id="checks" title="Checks" fact={batchChecksSummary(checks)}>
          <Checklist>
            {checks.map(({ key, outcome, title, text, result }) => (
              <CheckItem
                key={key}
                icon={<OutcomeIcon outcome={outcome} blocks="Blocks approval" />}
                title={title}
                result={result}
              >
                <p>{text}</p>
              </CheckItem>
            ))}
          </Checklist>
        </Section>
        {signatures}
      </div>
      <SideColumn as="div">
        {canDecide ? (
          <BatchDecision view={view} opensDenial={opensDenial} struck={struck} left={left} money={money} />
        ) : (
          viewerPanel
        )}
        {history}
      </SideColumn>
    </div>
  );
}

type Lines = BatchApprovalView["lines"];

function Question({
  view,
  struckCount,
  left,
}: {
  view: BatchApprovalView;
  struckCount: number;
  left: Lines;
}) {
  const of = left.length === 0 ? view.lines : left;
  return (
    <>
      <QuestionHeading
        before={left.length === 0 ? "Every line is struck out:" : "Move"}
        amountInCents={sumOfLines(left)}
        after={`from ${sourcesOf(of)} to ${destinationsOf(view, of)}?`}
        isFaded={left.length === 0}
      />
      {struckCount > 0 ? (
        <p className="mt-1 text-md text-ink-3">
          Proposed:{" "}
          <del>
            {formatCents(view.totalInCents)} to {destinationsOf(view, view.lines)}
          </del>
        </p>
      ) : null}
    </>
  );
}

interface BatchDrawingProps {
  view: BatchApprovalView;
  left: Lines;
}

/** All sources together and all destinations together; the lines say the same in text. */
function BatchDrawing({ view, left }: BatchDrawingProps) {
  const ids = new Set(view.lines.map(({ sourceId }) => sourceId));
  const sources = view.accounts.filter(({ id }) => ids.has(id));
  const known = sources.flatMap(({ availableInCents }) =>
    availableInCents === null ? [] : [availableInCents],
  );
  const nowInCents = known.length < sources.length ? null : known.reduce((sum, cents) => sum + cents, 0);
  return (
    <div className="mt-8 max-sm:mt-6">
      <PageSluice
        state="closed"
        source={{
          name: sourcesOf(view.lines),
          nowInCents,
          caption:
            nowInCents === null ? (
              <span className="text-ink-3">Balance unknown</span>
            ) : (
              <>
                {formatCents(nowInCents)} <span className="text-ink-3">available</span>
              </>
            ),
        }}
        destination={{
          name: left.length === 0 ? "Nobody" : destinationsOf(view, left),
          nowInCents: 0,
          caption: accountsWords(view, left),
        }}
        amountInCents={sumOfLines(left)}
        gateLabel={[
          "Closed until",
          view.shared.viewer.canDecide && !view.shared.signing ? "you approve" : "approved",
        ]}
      />
    </div>
  );
}
