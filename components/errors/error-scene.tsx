"use client";

import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { StoppedWaterScene } from "@/components/sluice/broken-channel-scene";
import { Button, buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";

/** How often an approval is looked at again, and how long before that is left to the reader. */
const CHECK_EVERY_MS = 5_000;
const CHECKED_AT_MOST = 24;

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
  const proposalId = useOpenProposal();
  useCheck(proposalId, lookAgain);
  return (
    <div className="lost lost-f">
      <StoppedWaterScene />
      <h1 className="h1">Something broke on our side</h1>
      <p className="lede lost-p" role="status">
        {proposalId === null ? (
          <>
            This page could not be shown. What you decided before is recorded, and nothing can move twice:
            look again before you repeat anything.
          </>
        ) : (
          <>
            If you have just decided about this: <b>we do not know yet whether it moved. Checking.</b> It
            cannot move twice. You can leave; what comes of it is under Approvals, and we tell you by email.
          </>
        )}
      </p>
      <div className="foot-a err-l">
        <Button kind="primary" onClick={lookAgain}>
          <RotateCcw className="ic" aria-hidden="true" />
          Look again
        </Button>
        {proposalId === null ? (
          <a className={buttonClass({ kind: "quiet" })} href="/">
            Overview
          </a>
        ) : (
          <a className={buttonClass({ kind: "quiet" })} href="/approvals">
            All approvals
          </a>
        )}
      </div>
      {requestId ? (
        <details className="raw err-l">
          <summary>
            <ChevronIcon />
            For support<span className="meta mono">Request {requestId}</span>
          </summary>
          <dl className="dl dl-l">
            <dt>Code</dt>
            <dd className="mono">UNEXPECTED_ERROR</dd>
            <dt>Where</dt>
            <dd>
              The log of this server holds it under the same number.{" "}
              <a className="link" href="/help">
                Write to support
              </a>
            </dd>
          </dl>
        </details>
      ) : null}
    </div>
  );
}

/** The proposal whose page this would have been; read in the browser, where the address is known for certain. */
function useOpenProposal(): string | null {
  const [proposalId, setProposalId] = useState<string | null>(null);
  useEffect(() => {
    setProposalId(new URLSearchParams(window.location.search).get("approvalTransferId"));
  }, []);
  return proposalId;
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
