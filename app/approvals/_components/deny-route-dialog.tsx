"use client";

import { useRef } from "react";
import { leftWords } from "@/app/approvals/_components/left-words";
import { beginDecidingTogether, decideAll } from "@/app/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { Amount } from "@/components/money/amount";
import { DenialForm } from "@/components/parts/approvals/decision-dialogs";
import { RequesterName } from "@/components/parts/approvals/proposal-words";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { DecideTogetherResult, OneOfSeveral } from "@/lib/contract/confirmation/decide-together";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import type { QueueRoute, QueueSection } from "@/lib/views/approvals/read-queue";

interface DenyRouteDialogProps {
  /** As it was when the dialog opened: what was read is what is denied, whatever joins it after that. */
  route: QueueRoute;
  section: QueueSection;
  time: TimeContext;
  onDenied: () => void;
  onClose: () => void;
}

type Decided = Extract<DecideTogetherResult, { kind: "DECIDED_TOGETHER" }>;
type Stated = Pick<OneOfSeveral, "reason" | "note">;

/** Denies the proposals of a route with one reason and one confirmation. */
export default function DenyRouteDialog({ route, section, time, onDenied, onClose }: DenyRouteDialogProps) {
  const proposals = route.proposals.slice(0, MAXIMUM_DECIDED_TOGETHER);
  const count = proposals.length;
  const sumInCents = proposals.reduce((sum, { subject }) => sum + (subject.amountInCents ?? 0), 0);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const { requesterName, requesterKind } = section;
  const denying = useConfirmedAction<Decided, Stated>({
    begin: (stated, shown) => beginDecidingTogether({ decisions: denialsOf(proposals, stated) }, shown),
    act: (stated, confirmation, shown) =>
      decideAll({ decisions: denialsOf(proposals, stated), confirmation }, shown),
    whenLost: outcomeUnknown("we don’t know which were denied. Reload this page to see."),
    stepUp: { title: `Deny ${count} proposals`, confirmLabel: `Deny ${count} proposals` },
    onDone: ({ outcomes }) => {
      onDenied();
      if (outcomes.every(({ result }) => result.kind === "DECIDED")) onClose();
    },
    refreshesWhenRefused: true,
  });
  if (denying.result) return <SomeLeft result={denying.result} onClose={onClose} />;
  // A rule's own address reads no reason: its runs are not asked for by a key or an assistant.
  const isProgram = requesterKind === "API_KEY" || requesterKind === "ASSISTANT";
  return (
    <Dialog title={`Deny these ${count} proposals?`} initialFocus={noteField} onCancel={onClose}>
      <p className="mt-2 text-ink-2">
        {formatCents(sumInCents)} stays in {route.subject.sourceName}.{" "}
        <RequesterName kind={requesterKind} name={requesterName} /> learns of each denial
        {isProgram ? " and can read the reason." : "."}
      </p>
      <ul className="mt-4 max-h-60 overflow-y-auto border-t border-rule-strong">
        {proposals.map(({ id, reason, subject }) => (
          <li key={id} className="flex justify-between gap-4 border-b border-rule py-1.75 wrap-anywhere">
            <span className="line-clamp-1">{reason ?? "Without a reason"}</span>
            <Amount cents={subject.amountInCents} />
          </li>
        ))}
      </ul>
      <p className="flex justify-between border-t border-b-3 [border-bottom-style:double] border-ink-3 py-1.75 font-semibold">
        <span>{count} proposals</span>
        <Amount cents={sumInCents} />
      </p>
      <DenialForm
        requesterName={requesterName}
        isProgram={isProgram}
        time={time}
        isBusy={denying.isBusy}
        noteField={noteField}
        notice={<RefusalNote message={denying.message} />}
        allCount={count}
        keepLabel="Keep waiting"
        denyLabel={`Deny ${count} proposals`}
        onDeny={(note, reason) => denying.run({ note: note.trim() || null, reason })}
        onClose={onClose}
      />
    </Dialog>
  );
}

function denialsOf(proposals: readonly { id: string }[], stated: Stated): OneOfSeveral[] {
  return proposals.map(({ id }) => ({ proposalId: id, decision: "DENY", digest: "", ...stated }));
}

function SomeLeft({ result: { outcomes }, onClose }: { result: Decided; onClose: () => void }) {
  const left = outcomes.flatMap(({ result }) =>
    result.kind === "DECIDED" || result.kind === "SIGNED" ? [] : [result],
  );
  const deniedCount = outcomes.length - left.length;
  const reasons = [...new Set(left.map(leftWords))];
  return (
    <Dialog
      title={deniedCount === 0 ? "Nothing was denied" : `${deniedCount} denied, ${left.length} not`}
      onCancel={onClose}
    >
      <Note tone="plain">
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </Note>
      <div className={DIALOG_BUTTONS}>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
