"use client";

import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { pollHref } from "@/components/act/shown-by-page";
import { Disclosure } from "@/components/layout/disclosure";
import { pageClass } from "@/components/layout/page-class";
import { PageFoot } from "@/components/layout/page-head";
import { BackLink, TopBar } from "@/components/shell/top-bar";
import { StoppedWaterScene } from "@/components/sluice/scenes";
import { Button, buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { LEDE, LINK, MONO, PAGE_TITLE } from "@/components/ui/text-styles";

const CHECK_EVERY_MS = 5_000;
const CHECKED_AT_MOST = 24;

const OVERVIEW: Way = { href: "/", label: "Overview" };
const ALL_APPROVALS: Way = { href: "/approvals", label: "All approvals" };

interface Way {
  href: string;
  label: string;
}

interface ErrorSceneProps {
  /** Names the log line; null for an error in the browser. */
  requestId: string | null;
  lookAgain: () => void;
}

/**
 * The page cannot know what happened before the error, so it never says that nothing moved. If an approval was open, it
 * polls until it can be shown. Plain links: after an error, a fresh document is safest.
 */
export function ErrorScene({ requestId, lookAgain }: ErrorSceneProps) {
  const { proposalId, brokeAt } = useCircumstances();
  useCheck(proposalId, lookAgain);
  const back = proposalId === null ? OVERVIEW : ALL_APPROVALS;
  return (
    <>
      <ErrorTop back={back} />
      <main id="main" className={pageClass({ frame: "focus" })}>
        <div className="max-w-180 mx-auto pt-12">
          <StoppedWaterScene />
          <h1 className={PAGE_TITLE}>Something went wrong on our side</h1>
          <WhatIsKnown isApproval={proposalId !== null} />
          <PageFoot className="mt-7">
            <Button kind="primary" onClick={lookAgain}>
              <RotateCcw aria-hidden="true" />
              Try again
            </Button>
            <a className={buttonClass({ kind: "quiet" })} href="/transfers">
              All movements
            </a>
          </PageFoot>
          {requestId ? <ForSupport requestId={requestId} brokeAt={brokeAt} /> : null}
        </div>
      </main>
    </>
  );
}

/** Only the way back: the session could not be read. */
function ErrorTop({ back }: { back: Way }) {
  return (
    <TopBar>
      <BackLink href={back.href}>{back.label}</BackLink>
    </TopBar>
  );
}

function WhatIsKnown({ isApproval }: { isApproval: boolean }) {
  return (
    <p className={`${LEDE} mt-2 wrap-anywhere`} role="status">
      {isApproval ? (
        <>
          If you just decided this: <b>we do not know yet whether it moved. Checking.</b> It cannot move
          twice. You can leave; the outcome will be under Approvals and in an email.
        </>
      ) : (
        <>
          This page could not be shown. Your earlier decisions are recorded, and nothing can move twice.
          Reload before you repeat anything.
        </>
      )}
    </p>
  );
}

function ForSupport({ requestId, brokeAt }: { requestId: string; brokeAt: string | null }) {
  return (
    <Disclosure
      summary="For support"
      fact={
        <span className="font-mono text-[0.93em]/4.5 tracking-[-0.01em] text-ink-3">Request {requestId}</span>
      }
      className="mt-7"
    >
      <DefinitionList align="left" className="pb-4">
        <dt>Code</dt>
        <dd className={MONO}>UNEXPECTED_ERROR</dd>
        {brokeAt ? (
          <>
            <dt>When</dt>
            <dd className={MONO}>{brokeAt}</dd>
          </>
        ) : null}
        <dt>Where</dt>
        <dd>
          The server’s log has it under the same number.{" "}
          <a className={LINK} href={`/help?request=${encodeURIComponent(requestId)}`}>
            Write to support
          </a>
        </dd>
      </DefinitionList>
    </Disclosure>
  );
}

interface Circumstances {
  proposalId: string | null;
  /** In UTC, to the second; null until the browser has rendered. */
  brokeAt: string | null;
}

/** Read in the browser: the server that failed is not asked. */
function useCircumstances(): Circumstances {
  const [circumstances, setCircumstances] = useState<Circumstances>({ proposalId: null, brokeAt: null });
  useEffect(() => {
    const startedAt = performance.timeOrigin + performance.now();
    setCircumstances({
      proposalId: new URLSearchParams(window.location.search).get("approvalTransferId"),
      brokeAt: `${new Date(startedAt).toISOString().slice(0, 19)}Z`,
    });
  }, []);
  return circumstances;
}

/** Polls the proposal until it answers, then reloads. */
function useCheck(proposalId: string | null, lookAgain: () => void): void {
  useEffect(() => {
    if (proposalId === null) return;
    let left = CHECKED_AT_MOST;
    const timer = setInterval(async () => {
      left -= 1;
      if (left <= 0) clearInterval(timer);
      const answer = await fetch(pollHref(`/approvals/${encodeURIComponent(proposalId)}/version`), {
        cache: "no-store",
      }).catch(() => null);
      if (!answer?.ok) return;
      clearInterval(timer);
      lookAgain();
    }, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [proposalId, lookAgain]);
}
