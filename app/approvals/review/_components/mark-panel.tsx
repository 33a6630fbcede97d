"use client";

import { ArrowLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { keepMark } from "@/app/approvals/review/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { PANEL } from "@/components/layout/panel";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { type Blocked, NoteBox } from "@/components/parts/approvals/decision-notice";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { useKeys, useKeysRest } from "@/components/ui/single-keys/use-keys";
import { LINK } from "@/components/ui/text-styles";
import type { MarkInput, ReviewMark } from "@/lib/contract/approvals/review";

interface MarkPanelProps {
  proposalId: string;
  digest: string;
  /** As it counts now. */
  mark: ReviewMark | null;
  /** `7 of 12` */
  place: string;
  /** Null on the first one. */
  previousHref: string | null;
  nextHref: string;
  /** Why it cannot be approved now. Denying remains possible. */
  blockedBecause: Blocked | null;
  /** Its first document; null: it has none. */
  documentHref: string | null;
  /** It can no longer be marked: what became of it. */
  overBecause: string | null;
  /** What changed since it was marked, one sentence each. */
  changes: readonly string[] | null;
  /** Leads to approving less; null: all of it or nothing. */
  less: ReactNode;
}

/** A mark for a proposal that was not yet looked at: keys rest for so long after it appears. */
const LOOK_MS = 700;

/** Set by leaving a proposal of the review: the next one takes the focus to its question. */
let isArriving = false;

/** Marks the proposal on the page: a panel on the right, a bar at the bottom on phones. A mark moves nothing. */
export function MarkPanel(props: MarkPanelProps) {
  const { proposalId, digest, mark, previousHref, nextHref, blockedBecause, overBecause } = props;
  const router = useRouter();
  const arrivedAt = useArrival(proposalId);
  const goTo = (href: string, to = router) => {
    isArriving = true;
    to.push(href);
  };
  const marking = useAction(keepMark, { afterwards: (to) => goTo(nextHref, to), refreshesWhenRefused: true });
  const unmarking = useAction(keepMark, { refreshesWhenRefused: true });
  const isBusy = marking.isBusy || unmarking.isBusy;
  const canMark = overBecause === null && !isBusy;
  const canApprove = canMark && blockedBecause === null;
  const keep = (given: MarkInput["mark"]) => marking.run({ proposalId, mark: given, digest });
  const press = (given: ReviewMark) => {
    // Pressed again, a mark is taken back.
    if (mark === given) unmarking.run({ proposalId, mark: null, digest });
    else keep(given);
  };
  const goOn = () => {
    if (mark === null && overBecause === null) keep("SKIPPED");
    else goTo(nextHref);
  };
  const byKey = (may: boolean, given: ReviewMark) => {
    if (may && performance.now() - arrivedAt.current > LOOK_MS) keep(given);
  };
  useKeys({
    a: () => byKey(canApprove, "APPROVE"),
    d: () => byKey(canMark, "DENY"),
    j: () => !isBusy && goOn(),
    k: () => previousHref !== null && goTo(previousHref),
    // Only in the tab beside: what a program sent never takes the place of the review.
    o: () => props.documentHref !== null && window.open(props.documentHref, "_blank", "noopener"),
  });
  useKeysRest([digest, blockedBecause?.text, overBecause]);
  const goOnWords = mark === null && overBecause === null ? "Skip" : "Next";
  const notes = (place: "panel" | "bar") => (
    <NoteBox place={place}>
      <Notes {...props} />
      {(marking.message ?? unmarking.message) ? (
        <RefusalNote message={marking.message ?? unmarking.message} />
      ) : null}
    </NoteBox>
  );
  return (
    <>
      <section className={`${PANEL} max-sm:hidden! print:hidden`} aria-labelledby="mark">
        <h2 className="mb-1.5 flex items-baseline justify-between" id="mark">
          <b className="text-[17px] font-semibold">Mark this one</b>
          <span className="text-[13px] font-normal text-ink-3">{props.place}</span>
        </h2>
        <p className="mb-4 text-[13px]/4.5 text-ink-3">
          A mark moves nothing. You confirm all marks at the end.
        </p>
        {notes("panel")}
        <Button kind="primary" size="large" wide disabled={!canApprove} onClick={() => press("APPROVE")}>
          {mark === "APPROVE" ? "Marked to approve" : "Approve"}
          <span aria-hidden="true">
            <kbd>A</kbd>
          </span>
        </Button>
        <div className="mt-2.5">
          <Button
            kind={mark === "DENY" ? "deny" : "outlined"}
            size="large"
            wide
            disabled={!canMark}
            onClick={() => press("DENY")}
          >
            {mark === "DENY" ? "Marked to deny" : "Deny"}
            <span aria-hidden="true">
              <kbd>D</kbd>
            </span>
          </Button>
        </div>
        {props.less ? <p className="mt-3.5">{props.less}</p> : null}
        {props.documentHref === null ? null : (
          <p className="mt-3.5 text-sm">
            <a className={LINK} href={props.documentHref} target="_blank" rel="noreferrer">
              Open the document
            </a>{" "}
            <span aria-hidden="true">
              <kbd>O</kbd>
            </span>
          </p>
        )}
        <div className="mt-3 -mx-2.5 -mb-2 flex justify-between">
          {previousHref === null ? (
            <span />
          ) : (
            <Link className={buttonClass({ kind: "quiet" })} href={previousHref} isFresh>
              <ArrowLeft />
              Back
              <span aria-hidden="true">
                <kbd>K</kbd>
              </span>
            </Link>
          )}
          <Button kind="quiet" disabled={isBusy} onClick={goOn}>
            {goOnWords}
            <span aria-hidden="true">
              <kbd>J</kbd>
            </span>
          </Button>
        </div>
      </section>

      <StickyBar label="Your mark" three>
        {notes("bar")}
        <BarFacts>
          <span>
            <b>{props.place}</b> · a mark moves nothing
          </span>
          {previousHref === null ? null : (
            <Link
              className={`${LINK} -my-3 inline-flex min-h-11 items-center pl-4`}
              href={previousHref}
              isFresh
            >
              Back
            </Link>
          )}
        </BarFacts>
        <Button
          kind={mark === "DENY" ? "deny" : "outlined"}
          disabled={!canMark}
          onClick={() => press("DENY")}
        >
          {mark === "DENY" ? "Denying" : "Deny"}
        </Button>
        <Button kind="outlined" disabled={isBusy} onClick={goOn}>
          {goOnWords}
        </Button>
        <Button kind="primary" disabled={!canApprove} onClick={() => press("APPROVE")}>
          {mark === "APPROVE" ? "Marked" : "Approve"}
        </Button>
      </StickyBar>
    </>
  );
}

/** What speaks against a mark, or ended an earlier one. */
function Notes({ blockedBecause, overBecause, changes }: MarkPanelProps) {
  if (overBecause !== null) return <Note>{overBecause}</Note>;
  return (
    <>
      {blockedBecause ? (
        <Note>
          <b>{blockedBecause.title}</b> {blockedBecause.text}
        </Note>
      ) : null}
      {changes ? (
        <Note>
          <p>It changed since you marked it, so that mark no longer counts:</p>
          {changes.map((change) => (
            <p key={change}>{change}</p>
          ))}
        </Note>
      ) : null}
    </>
  );
}

/** When this proposal appeared, and the focus on its question where the reader came from another one. */
function useArrival(proposalId: string) {
  const arrivedAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each proposal is another arrival
  useEffect(() => {
    arrivedAt.current = performance.now();
    if (!isArriving) return;
    isArriving = false;
    const question = document.querySelector<HTMLElement>("main h1");
    question?.setAttribute("tabindex", "-1");
    question?.focus({ preventScroll: true });
  }, [proposalId]);
  return arrivedAt;
}
