"use client";

import { Plug, RefreshCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { StepUpRefusal, useStepUp } from "@/components/auth/use-step-up";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type {
  ConnectionActions,
  ConnectionDone,
  ConnectionPageView,
} from "@/lib/contract/views/connections-view";

const PlaidDialog = dynamic(
  () => import("@/components/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

interface ConnectionActsProps {
  view: Pick<ConnectionPageView, "institutionName" | "status" | "isServed" | "viewer">;
  actions: ConnectionActions;
}

type Busy = "REFRESH" | "SIGN_IN" | "DISCONNECT" | null;

const UNKNOWN = {
  kind: "REFUSED" as const,
  message: "Sluice did not answer, so the change may or may not have happened. Reload the page to check.",
};
const unknown = () => UNKNOWN;

/** The worker refreshes a moment later; the page reloads after this. */
const LOOK_AGAIN_MS = 2_500;

export function ConnectionActs({ view, actions }: ConnectionActsProps) {
  const router = useRouter();
  const [busy, setBusy] = useState<Busy>(null);
  const [said, setSaid] = useState<{ tone: "red" | "teal"; text: string } | null>(null);
  const [linkToken, setLinkToken] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const lookAgain = (text: string) => {
    setSaid({ tone: "teal", text });
    router.refresh();
    setTimeout(() => router.refresh(), LOOK_AGAIN_MS);
  };
  const settle = (answer: ConnectionDone, text: string) => {
    setBusy(null);
    if (answer.kind === "REFUSED") setSaid({ tone: "red", text: answer.message });
    else lookAgain(text);
  };
  const signedIn = `Signed in. Refreshing from ${view.institutionName}.`;

  async function refresh() {
    setSaid(null);
    setBusy("REFRESH");
    settle(await actions.refresh().catch(unknown), `Refreshing from ${view.institutionName}.`);
  }

  async function signIn() {
    setSaid(null);
    setBusy("SIGN_IN");
    const answer = await actions.beginSignIn().catch(unknown);
    if (answer.kind === "LINK") return setLinkToken(answer.linkToken);
    settle(answer.kind === "REFUSED" ? answer : { kind: "DONE" }, signedIn);
  }

  async function finishSignIn() {
    setLinkToken(null);
    settle(await actions.finishSignIn().catch(unknown), signedIn);
  }

  const endSignIn = useCallback((problem: string | null) => {
    setLinkToken(null);
    setBusy(null);
    setSaid(problem === null ? null : { tone: "red", text: problem });
  }, []);

  if (view.status === "DISCONNECTED") return null;
  return (
    <div className="con-a">
      <div className="page-a">
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          Disconnect
        </Button>
        {!view.isServed ? null : view.status === "NEEDS_SIGN_IN" ? (
          <Button kind="primary" busy={busy === "SIGN_IN"} onClick={() => void signIn()}>
            <Plug className="ic" aria-hidden="true" />
            Sign in again
          </Button>
        ) : (
          <Button kind="outlined" busy={busy === "REFRESH"} onClick={() => void refresh()}>
            <RefreshCw className="ic" aria-hidden="true" />
            Refresh now
          </Button>
        )}
      </div>
      <div role="status">{said ? <Note tone={said.tone}>{said.text}</Note> : null}</div>
      {linkToken === null ? null : (
        <PlaidDialog linkToken={linkToken} onSuccess={() => void finishSignIn()} onEnd={endSignIn} />
      )}
      {isAsking ? (
        <DisconnectDialog
          view={view}
          actions={actions}
          onKeep={() => setIsAsking(false)}
          onDone={() => {
            setIsAsking(false);
            router.refresh();
          }}
        />
      ) : null}
    </div>
  );
}

interface DisconnectDialogProps extends ConnectionActsProps {
  onKeep: () => void;
  onDone: () => void;
}

function DisconnectDialog({ view, actions, onKeep, onDone }: DisconnectDialogProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Disconnect" });

  async function end(prove: () => Promise<ConnectionDone>) {
    setRefusal(null);
    setIsBusy(true);
    const proof = await prove();
    const answer = proof.kind === "DONE" ? await actions.disconnect().catch(unknown) : proof;
    setIsBusy(false);
    if (answer.kind === "REFUSED") setRefusal(answer.message);
    else onDone();
  }

  return (
    <>
      <Dialog title={`Disconnect ${view.institutionName}?`} onCancel={onKeep}>
        <p className="dialog-l">
          Its balances become unknown: you can no longer draw from these accounts, and they leave your totals.
          You can still pay into them. Their history stays, and transfers on their way still settle. To use
          them again, connect again.
        </p>
        <StepUpRefusal
          message={refusal}
          onRecoveryCode={view.viewer.hasPasskey ? () => void end(stepUp.proveWithRecoveryCode) : null}
        />
        <div className="btns">
          <Button kind="quiet" onClick={onKeep}>
            Keep it
          </Button>
          <Button kind="primary" busy={isBusy} onClick={() => void end(stepUp.prove)}>
            {isBusy ? "Disconnecting" : "Disconnect"}
          </Button>
        </div>
      </Dialog>
      {stepUp.dialog}
    </>
  );
}
