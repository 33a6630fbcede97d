"use client";

import { Plug, RefreshCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import {
  beginSignIn,
  disconnectConnection,
  finishSignIn,
  refreshConnection,
} from "@/app/connections/[id]/actions";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { useAction } from "@/components/act/use-action";
import { PageActions } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { ConnectionPageView } from "@/lib/views/connections/read-connection-page";

const PlaidDialog = dynamic(
  () => import("@/components/parts/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

interface ConnectionActsProps {
  view: Pick<ConnectionPageView, "id" | "institutionName" | "status" | "isServed" | "viewer">;
}

/** The worker refreshes a moment later; the page reloads after this. */
const LOOK_AGAIN_MS = 2_500;

export function ConnectionActs({ view }: ConnectionActsProps) {
  const router = useRouter();
  const [stated, setStated] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [linkToken, setLinkToken] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const lookAgain = (text: string) => {
    setStated(text);
    setTimeout(() => router.refresh(), LOOK_AGAIN_MS);
  };
  const which = { connectionId: view.id };
  const signedIn = `Signed in. Refreshing from ${view.institutionName}.`;
  const refreshing = useAction(refreshConnection, {
    onDone: () => lookAgain(`Refreshing from ${view.institutionName}.`),
  });
  const finishing = useAction(finishSignIn, {
    onDone: () => lookAgain(signedIn),
  });
  const beginning = useAction(beginSignIn, {
    onDone: (begun) => (begun.kind === "LINK" ? setLinkToken(begun.linkToken) : lookAgain(signedIn)),
    afterwards: (refreshed, begun) => {
      if (begun.kind === "SIGNED_IN") refreshed.refresh();
    },
  });

  const afresh = (run: () => void) => {
    setStated(null);
    setProblem(null);
    for (const action of [refreshing, finishing, beginning]) action.forget();
    run();
  };
  const finish = () => {
    setLinkToken(null);
    finishing.run(which);
  };
  const endSignIn = useCallback((because: string | null) => {
    setLinkToken(null);
    setProblem(because);
  }, []);
  const isSigningIn = beginning.isBusy || linkToken !== null || finishing.isBusy;
  const refusal = problem ?? refreshing.message ?? beginning.message ?? finishing.message;

  if (view.status === "DISCONNECTED") return null;
  return (
    <div className="grid justify-items-end gap-3 max-w-105 max-sm:justify-items-start">
      <PageActions>
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          Disconnect
        </Button>
        {!view.isServed ? null : view.status === "NEEDS_SIGN_IN" ? (
          <Button kind="primary" busy={isSigningIn} onClick={() => afresh(() => beginning.run(which))}>
            <Plug aria-hidden="true" />
            Sign in again
          </Button>
        ) : (
          <Button
            kind="outlined"
            busy={refreshing.isBusy}
            onClick={() => afresh(() => refreshing.run(which))}
          >
            <RefreshCw aria-hidden="true" />
            Refresh now
          </Button>
        )}
      </PageActions>
      <div role="status">
        {refusal ? <Note tone="red">{refusal}</Note> : stated ? <Note tone="teal">{stated}</Note> : null}
      </div>
      {linkToken === null ? null : <PlaidDialog linkToken={linkToken} onSuccess={finish} onEnd={endSignIn} />}
      {isAsking ? <DisconnectDialog view={view} onClose={() => setIsAsking(false)} /> : null}
    </div>
  );
}

interface DisconnectDialogProps extends ConnectionActsProps {
  onClose: () => void;
}

function DisconnectDialog({ view, onClose }: DisconnectDialogProps) {
  const disconnecting = useAction(disconnectConnection, {
    proof: () => ({
      act: `DISCONNECT_BANK:${view.id}`,
      title: `Disconnect ${view.institutionName}`,
      confirmLabel: "Disconnect",
    }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Disconnect ${view.institutionName}?`}
      keepLabel="Keep it"
      actLabel="Disconnect"
      busyLabel="Disconnecting"
      kind="primary"
      action={disconnecting}
      onAct={() => disconnecting.run({ connectionId: view.id })}
      onRecoveryCode={
        view.viewer.hasPasskey ? () => disconnecting.runWithRecoveryCode({ connectionId: view.id }) : null
      }
      onClose={onClose}
    >
      <p>
        Its balances become unknown: you can no longer draw from these accounts, and they leave your totals.
        You can still pay into them, except those that are registered at the bank: they are closed. Their
        history stays, and transfers on their way still settle. To use them again, connect again.
      </p>
    </ConfirmDialog>
  );
}
