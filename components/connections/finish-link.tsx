"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import type { FinishLinkActions } from "@/lib/contract/views/connections-view";

const PlaidDialog = dynamic(
  () => import("@/components/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

type Stage =
  | { kind: "FINISHING" }
  | { kind: "OPEN"; linkToken: string; connectionId: string | null }
  | { kind: "ENDED"; message: string };

const NOT_FINISHED = "You did not finish. Nothing was connected.";
const NO_ANSWER =
  "Sluice did not answer, so it may or may not be connected. Check your accounts before you try again.";

/** Resumes the provider's dialog after the bank sent the member back. */
export function FinishLink({ actions }: { actions: FinishLinkActions }) {
  const router = useRouter();
  const [stage, setStage] = useState<Stage>({ kind: "FINISHING" });
  const { resumeLink } = actions;
  const end = useCallback((problem: string | null) => {
    setStage({ kind: "ENDED", message: problem ?? NOT_FINISHED });
  }, []);

  useEffect(() => {
    let isStale = false;
    resumeLink().then(
      (answer) => {
        if (isStale) return;
        setStage(
          answer.kind === "REFUSED"
            ? { kind: "ENDED", message: answer.message }
            : { kind: "OPEN", linkToken: answer.linkToken, connectionId: answer.connectionId },
        );
      },
      () => {
        if (!isStale) end("Sluice did not answer. Nothing was connected.");
      },
    );
    return () => {
      isStale = true;
    };
  }, [resumeLink, end]);

  async function finish(connectionId: string | null, publicToken: string) {
    setStage({ kind: "FINISHING" });
    const refused = () => ({ kind: "REFUSED" as const, message: NO_ANSWER });
    const answer =
      connectionId === null
        ? await actions.completeLink({ publicToken }).catch(refused)
        : await actions.finishSignIn(connectionId).catch(refused);
    if (answer.kind === "REFUSED") end(answer.message);
    else if (answer.kind === "CONNECTED") router.replace(`/accounts?connected=${answer.connectionId}`);
    else router.replace(`/connections/${connectionId}`);
  }

  return (
    <>
      <PageHead title="Back from your bank" lede="Connecting what you allowed there." />
      <div className="conn-f" role="status">
        {stage.kind === "ENDED" ? <Note tone="red">{stage.message}</Note> : <p>Finishing with your bank.</p>}
      </div>
      {stage.kind === "ENDED" ? (
        <div className="btns">
          <Link className={buttonClass({ kind: "primary" })} href="/accounts/connect">
            Start again
          </Link>
          <Link className={buttonClass({ kind: "quiet" })} href="/accounts">
            All accounts
          </Link>
        </div>
      ) : null}
      {stage.kind === "OPEN" ? (
        <PlaidDialog
          linkToken={stage.linkToken}
          isReturn
          onSuccess={(publicToken) => void finish(stage.connectionId, publicToken)}
          onEnd={end}
        />
      ) : null}
    </>
  );
}
