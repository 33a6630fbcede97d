"use client";

import { FingerprintPattern, Flag, Send, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { countedWords } from "@/app/approvals/_components/review-words";
import { beginDecidingTogether, decideAll } from "@/app/approvals/actions";
import { DenialReason, type DenialWords, NO_WORDS } from "@/app/approvals/review/_components/denial-reason";
import {
  decisionsTitle,
  droppedWords,
  endQuestion,
  movesWords,
  namedSubject,
} from "@/app/approvals/review/_components/end-words";
import { ReviewAfter } from "@/app/approvals/review/_components/review-after";
import { ReviewHead } from "@/app/approvals/review/_components/review-head";
import { ReviewedTable } from "@/app/approvals/review/_components/reviewed-table";
import { useDecidedCount } from "@/app/approvals/review/_components/use-decided-count";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { type Means, useMeans, withMeans } from "@/components/act/confirming-means";
import { RefusalNote } from "@/components/act/refusal-note";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { COLUMNS } from "@/components/layout/columns";
import { PANEL } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { Amount } from "@/components/money/amount";
import { BalanceTable } from "@/components/parts/approvals/balance-table";
import { NoteBox } from "@/components/parts/approvals/decision-notice";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Button, buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { DefinitionList } from "@/components/ui/definition-list";
import { GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { useKeys } from "@/components/ui/single-keys/use-keys";
import { LEDE, LINK, SUBLINE } from "@/components/ui/text-styles";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { DecideTogetherResult, Decisions } from "@/lib/contract/confirmation/decide-together";
import { formatCents } from "@/lib/contract/format-cents";
import { reviewHref } from "@/lib/contract/search/queue-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ReviewEndView } from "@/lib/views/approvals/read-review";
import type { DroppedStep, ReviewEnd } from "@/lib/views/approvals/read-review-end";
import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

export type Decided = Extract<DecideTogetherResult, { kind: "DECIDED_TOGETHER" }>;

/** What was marked, and one confirmation for exactly that. */
export function ReviewEndPage({ view }: { view: ReviewEndView }) {
  const { end, steps, search, time } = view;
  const [words, setWords] = useState<ReadonlyMap<string, DenialWords>>(new Map());
  const router = useRouter();
  const { approve, sign, deny } = end;
  const title = decisionsTitle(end);
  const deciding = useConfirmedAction<Decided, Decisions>({
    begin: (subject, shown) => beginDecidingTogether(subject, shown),
    act: (subject, confirmation, shown) => decideAll({ ...subject, confirmation }, shown),
    whenLost: outcomeUnknown(
      "we don’t know which were decided. Reload this page to see. Nothing moves twice.",
    ),
    stepUp: { title, confirmLabel: title },
    afterwards: null,
  });
  const lastHref = reviewHref(search, steps.at(-1)?.id ?? null);
  useKeys({ k: () => router.push(lastHref) });
  if (deciding.result) return <ReviewAfter view={view} outcomes={deciding.result.outcomes} />;
  const confirm = () => deciding.run(decisionsOf(end, words));
  return (
    <>
      <ReviewHead
        place={placeWords(steps)}
        marks={countedWords({
          approveCount: approve.length,
          denyCount: deny.length,
          skippedCount: end.skipped.length,
          droppedCount: end.dropped.length,
        })}
        steps={steps}
        currentId={null}
        droppedIds={new Set(end.dropped.map(({ id }) => id))}
      />
      <div className={`${COLUMNS} max-sm:gap-8`}>
        <div>
          <EndQuestion end={end} />
          <ReviewedTable
            id="to-approve"
            title="To approve"
            steps={approve}
            state="closed"
            sum={{ label: movesWords(end), cents: end.approvedInCents }}
            below={({ changes }) => <AfterThoseAbove changes={changes} />}
          />
          <ReviewedTable
            id="to-sign"
            title="To sign, still waits afterwards"
            steps={sign}
            state="closed"
            below={({ changes, waitsFor }) => (
              <>
                <span className={SUBLINE}>{waitsFor}</span>
                <AfterThoseAbove changes={changes} />
              </>
            )}
          />
          <ReviewedTable
            id="to-deny"
            title="To deny"
            steps={deny}
            state="denied"
            sum={{ label: "Stays where it is", cents: end.deniedInCents }}
            below={(step) => (
              <DenialReason
                what={namedSubject(step.subject)}
                isProgram={isProgram(step)}
                words={words.get(step.id) ?? NO_WORDS}
                time={time}
                onChange={(given) => setWords(new Map(words).set(step.id, given))}
              />
            )}
          />
          <Dropped view={view} />
          <ReviewedTable
            id="skipped"
            title="Skipped"
            steps={end.skipped}
            state="closed"
            below={(step) => <KeepsWaiting step={step} time={time} />}
          />
          <ReviewedTable
            id="not-marked"
            title="Not marked"
            steps={end.unmarked}
            state="closed"
            below={(step) => <KeepsWaiting step={step} time={time} />}
          />
          {approve.length > 0 ? (
            <Section id="will" title="What will happen" fact="If you confirm now">
              <BalanceTable
                balances={end.balances}
                together={end.together}
                changeLabel={`These ${approve.length}`}
                lastColumn="After"
              />
            </Section>
          ) : null}
        </div>
        <SideColumn as="div" contentLayout="sm:top-24">
          <Confirm
            view={view}
            isBusy={deciding.isBusy}
            message={deciding.message}
            onConfirm={confirm}
            onRecoveryCode={() => deciding.runWithRecoveryCode(decisionsOf(end, words))}
            backHref={lastHref}
          />
          <Then end={end} />
        </SideColumn>
      </div>
    </>
  );
}

/** In the order shown, approvals first: what is denied changes nothing for them. */
function decisionsOf({ fits, deny }: ReviewEnd, words: ReadonlyMap<string, DenialWords>): Decisions {
  return {
    decisions: [
      ...fits.map(({ id, digest }) => ({
        proposalId: id,
        decision: "APPROVE" as const,
        digest,
        ...NO_WORDS,
      })),
      ...deny.map(({ id }) => ({
        proposalId: id,
        decision: "DENY" as const,
        digest: "",
        ...(words.get(id) ?? NO_WORDS),
      })),
    ],
  };
}

function isProgram({ requesterKind }: ReviewStep): boolean {
  return requesterKind === "API_KEY" || requesterKind === "ASSISTANT";
}

function placeWords(steps: readonly ReviewStep[]): string {
  const seen = steps.filter(({ mark, isOver }) => mark !== null || isOver).length;
  return `${seen} of ${steps.length} looked at`;
}

function EndQuestion({ end }: { end: ReviewEnd }) {
  const question = endQuestion(end);
  return (
    <>
      <QuestionHeading {...question} />
      {end.fits.length + end.deny.length === 0 ? (
        <p className={`${LEDE} mt-3`}>
          {end.dropped.length > 0
            ? "What you marked has changed or ended since. Nothing was decided."
            : "You have not marked a proposal to approve or deny. Nothing was decided."}
        </p>
      ) : null}
    </>
  );
}

/** Checks that read differently once those before it are approved. */
function AfterThoseAbove({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return null;
  return (
    <span className={`${SUBLINE} mt-1 flex gap-1.5 text-ink-2!`}>
      <Flag className="mt-px size-3.5!" aria-hidden="true" />
      <span>After those above: {changes.join(" ")}</span>
    </span>
  );
}

function KeepsWaiting({ step, time }: { step: ReviewStep; time: TimeContext }) {
  return <span className={SUBLINE}>Keeps waiting until {formatWeekdayMoment(step.expiresAt, time)}</span>;
}

function Dropped({ view: { end, search, time } }: { view: ReviewEndView }) {
  const { dropped } = end;
  if (dropped.length === 0) return null;
  return (
    <Section
      id="dropped-out"
      title="Dropped out"
      fact={dropped.length === 1 ? "1 proposal" : `${dropped.length} proposals`}
    >
      <Checklist>
        {dropped.map((step) => (
          <DroppedItem key={step.id} step={step} href={reviewHref(search, step.id)} time={time} />
        ))}
      </Checklist>
    </Section>
  );
}

function DroppedItem({ step, href, time }: { step: DroppedStep; href: string; time: TimeContext }) {
  const { title, text, result } = droppedWords(step, time);
  return (
    <CheckItem
      icon={<Flag className="text-ink-2" aria-hidden="true" />}
      title={`${namedSubject(step.subject)}: ${title}`}
      result={result}
    >
      <p>
        {text}{" "}
        <Link className={LINK} href={href} isFresh>
          {step.isOver ? "View it" : "Look at it again"}
        </Link>
      </p>
    </CheckItem>
  );
}

interface ConfirmProps {
  view: ReviewEndView;
  isBusy: boolean;
  message: string | null;
  onConfirm: () => void;
  onRecoveryCode: () => void;
  backHref: string;
}

function Confirm({
  view: { end, time },
  isBusy,
  message,
  onConfirm,
  onRecoveryCode,
  backHref,
}: ConfirmProps) {
  const { approve, sign, deny, viewer, areGatesClosed } = end;
  const means = useMeans(viewer, time.nowAt);
  const count = end.fits.length + deny.length;
  const decided = useDecidedCount(
    [...end.fits, ...deny].map(({ id }) => id),
    isBusy,
  );
  const notes = (place: "panel" | "bar") => (
    <NoteBox place={place}>
      {areGatesClosed ? (
        <Note>
          <b>All gates are closed.</b> You can deny now, and approve once they are open. The time to decide
          goes on.
        </Note>
      ) : null}
      {message === null ? null : (
        <RefusalNote message={message} onRecoveryCode={means === "PASSKEY" ? onRecoveryCode : null} />
      )}
    </NoteBox>
  );
  const button = (size: "large" | undefined) =>
    count === 0 ? null : (
      <Button kind="primary" size={size} wide={size === "large"} busy={isBusy} onClick={onConfirm}>
        {means === "PASSKEY" ? <FingerprintPattern /> : null}
        {isBusy ? decidingWords(decided, count) : confirmWords(means, end)}
      </Button>
    );
  return (
    <>
      <section className={`${PANEL} max-sm:hidden! print:hidden`} aria-labelledby="confirm">
        <h2 className="mb-1.5 flex items-baseline justify-between" id="confirm">
          <b className="text-[17px] font-semibold">Confirm once</b>
          <span className="text-[13px] font-normal text-ink-3">
            {count === 1 ? "1 decision" : `${count} decisions`}
          </span>
        </h2>
        <DefinitionList columns="values" gap="close" className="mt-3 mb-4 border-y border-rule py-3">
          <dt>Approve {approve.length}</dt>
          <dd>
            <Amount cents={end.approvedInCents} />
          </dd>
          {sign.length > 0 ? (
            <>
              <dt>Sign {sign.length}</dt>
              <dd className="text-ink-3">Waits for others</dd>
            </>
          ) : null}
          <dt>Deny {deny.length}</dt>
          <dd>
            <Amount cents={end.deniedInCents} />
          </dd>
          <dt>Follows by rule</dt>
          <dd>
            <Amount cents={end.followsInCents} />
          </dd>
        </DefinitionList>
        {count > 0 ? (
          <p className="mb-4 text-[13px]/4.75 text-ink-3">
            Your confirmation covers exactly {count === 1 ? "this one" : `these ${count}`} as shown here. One
            that changes before it is decided drops out, and the others go on.
          </p>
        ) : null}
        {notes("panel")}
        {button("large")}
        <Link
          className={`${buttonClass({ kind: "outlined", size: "large", wide: true })} mt-2.5`}
          href={backHref}
          isFresh
        >
          Back to the review
          <span aria-hidden="true">
            <kbd>K</kbd>
          </span>
        </Link>
      </section>

      <StickyBar label="Your decision" single={count === 0}>
        {notes("bar")}
        <BarFacts>
          <span>{barWords(end)}</span>
        </BarFacts>
        <Link className={buttonClass({ kind: "outlined" })} href={backHref} isFresh>
          Back
        </Link>
        {button(undefined)}
      </StickyBar>
    </>
  );
}

/** `Deciding 4 of 9`, once the confirmation was accepted. */
function decidingWords(decided: number, count: number): string {
  return decided === 0 ? "Confirming" : `Deciding ${Math.min(decided + 1, count)} of ${count}`;
}

/** `Confirm with passkey`; without a second proof the button says what it does. */
function confirmWords(means: Means, end: ReviewEnd): string {
  return means === "NOTHING" ? decisionsTitle(end) : withMeans("Confirm", means);
}

function barWords({ approve, sign, deny, approvedInCents, deniedInCents }: ReviewEnd): string {
  const parts = [
    approve.length > 0 ? `Approve ${approve.length}, ${formatCents(approvedInCents)}.` : null,
    sign.length > 0 ? `Sign ${sign.length}.` : null,
    deny.length > 0 ? `Deny ${deny.length}, ${formatCents(deniedInCents)}.` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "Nothing to confirm." : parts.join(" ");
}

function Then({ end }: { end: ReviewEnd }) {
  const { approve, deny, approvedInCents, laterInCents } = end;
  const programs = [...new Set(deny.filter(isProgram).map(({ requesterName }) => requesterName))];
  const items: (TimelineItem | false)[] = [
    approve.length > 0 && {
      key: "approve",
      icon: <GateOpenIcon />,
      title: approve.length === 1 ? "1 proposal is approved" : `${approve.length} proposals are approved`,
      detail: approve.length === 1 ? "By itself" : "Each by itself, in this order",
      state: "ahead",
    },
    approvedInCents - laterInCents > 0 && {
      key: "at-once",
      icon: <Send />,
      title: `${formatCents(approvedInCents - laterInCents)} moves at once`,
      detail: "Between your accounts",
      state: "ahead",
    },
    laterInCents > 0 && {
      key: "bank",
      icon: <Send />,
      title: `${formatCents(laterInCents)} goes to the bank`,
      detail: "In its next window, or when a payee has cooled off",
      state: "ahead",
    },
    deny.length > 0 && {
      key: "deny",
      icon: <X />,
      title: deny.length === 1 ? "1 is denied" : `${deny.length} are denied`,
      detail:
        programs.length === 0
          ? "Nothing moves"
          : `${programs.join(", ")} ${programs.length === 1 ? "learns" : "learn"} of it, with your reasons`,
      state: "ahead",
    },
  ];
  const shown = items.filter((item) => item !== false);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="then" className="max-sm:mt-8">
      <h2 className="mb-3 text-base font-semibold" id="then">
        Then
      </h2>
      <Timeline items={shown} />
    </section>
  );
}
