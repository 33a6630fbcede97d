"use client";

import { FingerprintPattern } from "lucide-react";
import type { ReactNode } from "react";
import { checkSentence } from "@/components/approvals/check-sentence";
import { Amount } from "@/components/money/amount";
import type { MoveNotice, useMove } from "@/components/transfers/use-move";
import { Button, buttonClass } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import type { MovePreview, MoveView } from "@/lib/contract/views/move-view";

interface MovePanelProps {
  areGatesClosed: boolean;
  viewer: MoveView["viewer"];
  /** Of the draft as it stands; null while none is there. */
  current: MovePreview | null;
  shown: MovePreview | null;
  /** Why no money can go this way. */
  refusal: string | null;
  isSettling: boolean;
  flow: ReturnType<typeof useMove>;
}

/** The decision: at the right, and on phones after all that it would do. */
export function MovePanel(props: MovePanelProps) {
  const { viewer, current, shown, refusal, isSettling, flow } = props;
  const blockedBecause =
    (props.areGatesClosed ? GATES_ARE_CLOSED : null) ?? refusal ?? (current ? notEnough(current) : null);
  const canMove = current !== null && blockedBecause === null && !isSettling && !flow.isBusy;
  return (
    <section className="panel decide-p" aria-labelledby="move-it">
      <h2 className="vh" id="move-it">
        Move it
      </h2>
      {shown ? <Facts preview={shown} isOld={current === null} /> : null}
      <Notes notice={flow.notice} blockedBecause={blockedBecause} flow={flow} />
      <Button
        kind="primary"
        size="large"
        wide
        busy={flow.isBusy}
        disabled={!canMove && !flow.isBusy}
        onClick={flow.move}
      >
        {viewer.hasPasskey ? <FingerprintPattern className="ic" /> : null}
        {buttonLabel(props)}
      </Button>
      <p className="meta m-who">{whoWords(viewer)}</p>
    </section>
  );
}

const GATES_ARE_CLOSED = "All gates are closed, so nothing moves. Open them to move money.";

function buttonLabel({ viewer, shown, flow }: MovePanelProps): string {
  if (flow.isBusy) return "Moving";
  const what = shown ? `Move ${formatCents(shown.amountInCents)}` : "Move money";
  return viewer.hasPasskey && shown ? `${what} with passkey` : what;
}

function Facts({ preview, isOld }: { preview: MovePreview; isOld: boolean }) {
  const { amountInCents, knockOn, settlesOver } = preview;
  return (
    <dl className={isOld ? "dl m-facts is-old" : "dl m-facts"}>
      <dt>{settlesOver === "BOOKS" ? "Moves at once" : "Moves once settled"}</dt>
      <dd>
        <Amount cents={amountInCents} />
      </dd>
      {knockOn.runs.length > 0 ? (
        <>
          <dt>Follows by rule</dt>
          <dd>
            <Amount cents={knockOn.followsInCents} />
          </dd>
        </>
      ) : null}
      {settlesOver === "ACH" ? (
        <>
          <dt>Goes to the bank</dt>
          <dd>In its next window</dd>
        </>
      ) : null}
      <dt>Settles</dt>
      <dd>{settlesOver === "BOOKS" ? "In under a minute" : "On a banking day"}</dd>
    </dl>
  );
}

/** The source does not hold enough, or nobody knows what it holds: then nothing can be moved. */
function notEnough(preview: MovePreview): string | null {
  const check = preview.checks.find(({ outcome }) => outcome === "BLOCKS");
  if (!check) return null;
  const { title, text } = checkSentence(check, { kind: "TRANSFER", ...preview });
  return `${title}. ${text}`;
}

interface NotesProps {
  notice: MoveNotice | null;
  blockedBecause: string | null;
  flow: ReturnType<typeof useMove>;
}

function Notes({ notice, blockedBecause, flow }: NotesProps) {
  const told: ReactNode[] = [];
  if (blockedBecause) told.push(<Note key="blocked">{blockedBecause}</Note>);
  if (notice) {
    told.push(
      <Note key="notice" tone={notice.tone}>
        <p>{notice.text}</p>
        {notice.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {notice.href ? (
          <p className="m-used">
            <a className={buttonClass({ kind: "outlined", size: "small" })} href={notice.href}>
              See that transfer
            </a>
            <a className={buttonClass({ kind: "quiet", size: "small" })} href="/transfers/new">
              Start again
            </a>
          </p>
        ) : null}
        {notice.offersRecoveryCode ? (
          <Button kind="quiet" size="small" onClick={flow.moveWithRecoveryCode}>
            Use a recovery code
          </Button>
        ) : null}
      </Note>,
    );
  }
  return (
    <div className="decide-n" role="status">
      {told}
    </div>
  );
}

/** Whoever moves money approves it by that. */
function whoWords({ role, hasPasskey }: MoveView["viewer"]): string {
  const who = role === "OWNER" ? "an owner" : "a co-owner";
  const proof = hasPasskey ? "your passkey" : "your confirmation";
  return `You are ${who}, so ${proof} is the approval. You can cancel until it has left.`;
}
