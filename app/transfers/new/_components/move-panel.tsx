"use client";

import { FingerprintPattern } from "lucide-react";
import type { ReactNode } from "react";
import type { BalanceRefresh, MoveNotice, useMove } from "@/app/transfers/new/_components/use-move";
import { type Means, useMeans, withMeans } from "@/components/act/confirming-means";
import { PANEL } from "@/components/layout/panel";
import { Amount } from "@/components/money/amount";
import { checkSentence } from "@/components/parts/approvals/check-sentence";
import { waitsUntil } from "@/components/parts/approvals/decision-moves";
import { NoteBox } from "@/components/parts/approvals/decision-notice";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Button, buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { DefinitionList } from "@/components/ui/definition-list";
import { Note } from "@/components/ui/note";
import { LINK } from "@/components/ui/text-styles";
import type { CheckOutcome } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { MoveAccountView, MovePreview, MoveView } from "@/lib/views/transfers/read-move-page";

interface MovePanelProps {
  areGatesClosed: boolean;
  viewer: MoveView["viewer"];
  /** When the page was rendered. */
  nowAt: string;
  /** The preview of the current draft; null until it arrives. */
  current: MovePreview | null;
  shown: MovePreview | null;
  /** Why this route is impossible. */
  refusal: string | null;
  isSettling: boolean;
  flow: ReturnType<typeof useMove>;
}

/** The confirmation: on the right, and on phones below the preview. */
export function MovePanel(props: MovePanelProps) {
  const { viewer, current, shown, refusal, isSettling, flow } = props;
  const blockedBecause =
    (props.areGatesClosed ? GATES_ARE_CLOSED : null) ?? refusal ?? (current ? notEnough(current) : null);
  const means = useMeans(viewer, props.nowAt);
  const canMove = current !== null && blockedBecause === null && !isSettling && !flow.isBusy;
  return (
    <section
      className={`${PANEL} print:hidden max-[381px]:[&_kbd]:hidden [&_.button_+_.button]:mt-2.5`}
      aria-labelledby="move-it"
    >
      <h2 className="sr-only" id="move-it">
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
        {viewer.hasPasskey ? <FingerprintPattern /> : null}
        {buttonLabel(props, means)}
      </Button>
      <p className="text-sm text-ink-3 mt-3.5">{whoWords(viewer)}</p>
    </section>
  );
}

const GATES_ARE_CLOSED = "All gates are closed. Open them to move money.";

function buttonLabel({ shown, flow }: MovePanelProps, means: Means): string {
  if (flow.isBusy) return "Moving";
  return shown ? withMeans(`Move ${formatCents(shown.amountInCents)}`, means) : "Move money";
}

function Facts({ preview, isOld }: { preview: MovePreview; isOld: boolean }) {
  const { amountInCents, knockOn, settlesOver } = preview;
  const until = waitsUntil(preview.checks);
  return (
    <DefinitionList className={`mb-4 [transition:opacity_120ms_linear] ${isOld ? "opacity-55" : ""}`}>
      <dt>{settlesOver === "BOOKS" ? "Moves immediately" : "Moves when settled"}</dt>
      <dd>
        <Amount cents={amountInCents} />
      </dd>
      {knockOn.runs.length > 0 ? (
        <>
          <dt>Moved by rules afterwards</dt>
          <dd>
            <Amount cents={knockOn.followsInCents} />
          </dd>
        </>
      ) : null}
      {settlesOver === "ACH" ? (
        <>
          <dt>Goes to the bank</dt>
          <dd>{until === null ? "In its next window" : formatWeekdayMoment(until, preview.time)}</dd>
        </>
      ) : null}
      <dt>Settles</dt>
      <dd>{settlesOver === "BOOKS" ? "In under a minute" : "On a banking day"}</dd>
    </DefinitionList>
  );
}

/** The source lacks the money, or its balance is unknown: nothing can be moved. */
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
  const reported: ReactNode[] = [];
  if (blockedBecause) reported.push(<Note key="blocked">{blockedBecause}</Note>);
  if (notice) {
    reported.push(
      <Note key="notice" tone={notice.tone}>
        <p>{notice.text}</p>
        {notice.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {notice.href ? (
          <p className="flex flex-wrap gap-2 mt-2">
            <a className={buttonClass({ kind: "outlined", size: "small" })} href={notice.href}>
              View transfer
            </a>
            <a
              className={`${buttonClass({ kind: "quiet", size: "small" })} -ml-2.5 mt-1`}
              href="/transfers/new"
            >
              Start over
            </a>
          </p>
        ) : null}
        {notice.offersRecoveryCode ? (
          <p className="-ml-2.5 mt-1">
            <Button kind="quiet" size="small" onClick={flow.moveWithRecoveryCode}>
              Use a recovery code
            </Button>
          </p>
        ) : null}
      </Note>,
    );
  }
  return <NoteBox place="panel">{reported}</NoteBox>;
}

/** Moving money counts as approving it. */
function whoWords({ role, hasPasskey }: MoveView["viewer"]): string {
  const who = role === "OWNER" ? "an owner" : "a co-owner";
  const proof = hasPasskey ? "your passkey" : "your confirmation";
  return `You are ${who}, so ${proof} counts as approval. You can cancel until it leaves.`;
}

const DAY_MS = 86_400_000;

/** The checks, beside the button. Unusual facts are flagged in ink, never in amber or red. */
export function MoveChecks({
  preview,
  source,
  balanceRefresh,
}: {
  preview: MovePreview;
  source: MoveAccountView | undefined;
  /** Null without a bank to ask. */
  balanceRefresh: BalanceRefresh | null;
}) {
  const setting = { kind: "TRANSFER" as const, ...preview };
  const age = source ? balanceAge(source, preview) : null;
  return (
    <section aria-labelledby="move-checks">
      <h2 className="text-base font-semibold" id="move-checks">
        Checks
      </h2>
      <Checklist>
        {preview.checks.map((check) => {
          const { title, text, link } = checkSentence(check, setting);
          return (
            <MoveCheck key={check.kind} outcome={check.outcome} title={title} text={text}>
              {link ? (
                <a className={LINK} href={link.href} target="_blank" rel="noreferrer">
                  {link.label} in a new tab
                </a>
              ) : null}
            </MoveCheck>
          );
        })}
        {age ? (
          <MoveCheck outcome="LOOK" {...age}>
            {balanceRefresh ? <RefreshBalance {...balanceRefresh} /> : null}
          </MoveCheck>
        ) : null}
        {!age && balanceRefresh?.isAnswered ? (
          <MoveCheck outcome="CLEAR" title="Balance just refreshed by the bank" text="" />
        ) : null}
      </Checklist>
    </section>
  );
}

interface MoveCheckProps {
  outcome: CheckOutcome;
  title: string;
  text: string;
  /** The possible remedy. */
  children?: ReactNode;
}

function MoveCheck({ outcome, title, text, children }: MoveCheckProps) {
  return (
    <CheckItem icon={<OutcomeIcon outcome={outcome} blocks="Blocks this" />} title={title} remedy={children}>
      {outcome === "CLEAR" ? null : <p>{text}</p>}
    </CheckItem>
  );
}

function RefreshBalance({ isAsking, message, ask }: BalanceRefresh) {
  return (
    <>
      <Button kind="outlined" size="small" busy={isAsking} onClick={ask}>
        {isAsking ? "Asking the bank" : "Refresh balance"}
      </Button>
      <p role="status">{message}</p>
    </>
  );
}

/** For outside accounts: the last reported balance is old. */
function balanceAge(
  { name, balanceAt }: MoveAccountView,
  { time }: MovePreview,
): Pick<MoveCheckProps, "title" | "text"> | null {
  if (balanceAt === null) return null;
  const days = Math.floor((Date.parse(time.nowAt) - Date.parse(balanceAt)) / DAY_MS);
  if (days < 1) return null;
  return {
    title: `The balance is ${days === 1 ? "a day" : `${days} days`} old`,
    text: `If ${name} holds less now, its bank may return the transfer.`,
  };
}
