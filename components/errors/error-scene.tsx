"use client";

import { ArrowLeft, RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { StoppedWaterScene } from "@/components/sluice/scenes";
import { Mark } from "@/components/ui/brand";
import { Button, buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";

/** How often an approval is looked at again, and how long before that is left to the reader. */
const CHECK_EVERY_MS = 5_000;
const CHECKED_AT_MOST = 24;

const OVERVIEW: Way = { href: "/", label: "Overview" };
const ALL_APPROVALS: Way = { href: "/approvals", label: "All approvals" };

interface Way {
  href: string;
  label: string;
}

interface ErrorSceneProps {
  /** By which the operator finds it in the log; null where the browser broke, and not the server. */
  requestId: string | null;
  lookAgain: () => void;
}

/**
 * Something broke, and this page does not know what had happened by then, so it never says that nothing moved. Where an
 * approval was open it keeps asking until that can be shown. Plain links: after an error, a fresh page is the safe one.
 */
export function ErrorScene({ requestId, lookAgain }: ErrorSceneProps) {
  const { proposalId, brokeAt } = useCircumstances();
  useCheck(proposalId, lookAgain);
  const back = proposalId === null ? OVERVIEW : ALL_APPROVALS;
  return (
    <>
      <ErrorTop back={back} />
      <main id="main" className="focus">
        <div className="lost lost-f">
          <StoppedWaterScene />
          <h1 className="h1">Something broke on our side</h1>
          <WhatIsKnown isApproval={proposalId !== null} />
          <div className="foot-a err-l">
            <Button kind="primary" onClick={lookAgain}>
              <RotateCcw className="ic" aria-hidden="true" />
              Look again
            </Button>
            <a className={buttonClass({ kind: "quiet" })} href="/transfers">
              All movements
            </a>
          </div>
          {requestId ? <ForSupport requestId={requestId} brokeAt={brokeAt} /> : null}
        </div>
      </main>
    </>
  );
}

/** The way back alone: who is signed in, and what waits for them, is what could not be read. */
function ErrorTop({ back }: { back: Way }) {
  return (
    <header className="topbar">
      <a className="brand" href="/" aria-label="Sluice">
        <Mark />
        <span>Sluice</span>
      </a>
      <a className="back" href={back.href}>
        <ArrowLeft className="ic" aria-hidden="true" />
        {back.label}
      </a>
    </header>
  );
}

function WhatIsKnown({ isApproval }: { isApproval: boolean }) {
  return (
    <p className="lede lost-p" role="status">
      {isApproval ? (
        <>
          If you have just decided about this: <b>we do not know yet whether it moved. Checking.</b> It cannot
          move twice. You can leave; what comes of it is under Approvals, and we tell you by email.
        </>
      ) : (
        <>
          This page could not be shown. What you decided before is recorded, and nothing can move twice: look
          again before you repeat anything.
        </>
      )}
    </p>
  );
}

function ForSupport({ requestId, brokeAt }: { requestId: string; brokeAt: string | null }) {
  return (
    <details className="raw err-l">
      <summary>
        <ChevronIcon />
        For support<span className="meta mono">Request {requestId}</span>
      </summary>
      <dl className="dl dl-l">
        <dt>Code</dt>
        <dd className="mono">UNEXPECTED_ERROR</dd>
        {brokeAt ? (
          <>
            <dt>When</dt>
            <dd className="mono">{brokeAt}</dd>
          </>
        ) : null}
        <dt>Where</dt>
        <dd>
          The log of this server holds it under the same number.{" "}
          <a className="link" href={`/help?request=${encodeURIComponent(requestId)}`}>
            Write to support
          </a>
        </dd>
      </dl>
    </details>
  );
}

interface Circumstances {
  /** The proposal whose page this would have been. */
  proposalId: string | null;
  /** In UTC, to the second; null before the browser has looked at its clock. */
  brokeAt: string | null;
}

/** Read in the browser, where the address is known for certain; the server that broke is not asked for the time. */
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

/** Asks for the proposal until it answers, and then looks again by itself. */
function useCheck(proposalId: string | null, lookAgain: () => void): void {
  useEffect(() => {
    if (proposalId === null) return;
    let left = CHECKED_AT_MOST;
    const timer = setInterval(async () => {
      left -= 1;
      if (left <= 0) clearInterval(timer);
      const answer = await fetch(`/approvals/${encodeURIComponent(proposalId)}/version`, {
        cache: "no-store",
      }).catch(() => null);
      if (!answer?.ok) return;
      clearInterval(timer);
      lookAgain();
    }, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [proposalId, lookAgain]);
}
