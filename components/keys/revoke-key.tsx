"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Effects, effectWords } from "@/components/keys/revocation-effects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { KeyRefused, RevocationView } from "@/lib/contract/views/keys-view";

export interface RevokeActions {
  previewRevocation: (input: {
    keyId: string;
  }) => Promise<{ kind: "PREVIEW"; view: RevocationView } | KeyRefused>;
  revokeKey: (input: { keyId: string }) => Promise<{ kind: "REVOKED" } | KeyRefused>;
}

interface RevokeKeyProps {
  keyId: string;
  name: string;
  actions: RevokeActions;
}

const UNKNOWN = "We do not know yet whether it was revoked. Load this page again to see.";
const UNREACHABLE = "Sluice did not answer. Nothing was revoked. Try again.";

/** Ends a key for good, after saying what else that ends. */
export function RevokeKey({ keyId, name, actions }: RevokeKeyProps) {
  const [preview, setPreview] = useState<RevocationView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isLooking, startLooking] = useTransition();

  const open = () =>
    startLooking(async () => {
      setRefusal(null);
      const result = await actions
        .previewRevocation({ keyId })
        .catch((): KeyRefused => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") setRefusal(result.message);
      else setPreview(result.view);
    });

  return (
    <>
      <Button kind="deny" busy={isLooking} onClick={open}>
        Revoke
      </Button>
      {refusal ? (
        <div role="status">
          <Note tone="red">{refusal}</Note>
        </div>
      ) : null}
      {preview ? (
        <RevokeDialog
          keyId={keyId}
          name={name}
          preview={preview}
          actions={actions}
          onClose={() => setPreview(null)}
        />
      ) : null}
    </>
  );
}

interface RevokeDialogProps extends RevokeKeyProps {
  preview: RevocationView;
  onClose: () => void;
}

function RevokeDialog({ keyId, name, preview, actions, onClose }: RevokeDialogProps) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startRevoking] = useTransition();
  const submit = () =>
    startRevoking(async () => {
      const result = await actions
        .revokeKey({ keyId })
        .catch((): KeyRefused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onClose();
      router.refresh();
    });
  return (
    <Dialog title={`Revoke ${name}?`} onCancel={onClose}>
      <p className="ink2 dialog-l">It stops at once and cannot come back. {effectWords(preview)}</p>
      <Effects effects={[preview.denied, preview.stopped]} />
      <p className="meta">What has already moved stays as it is, and what the bank has goes on.</p>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          Keep the key
        </Button>
        <Button kind="deny" busy={isBusy} onClick={submit}>
          {isBusy ? "Revoking" : revokeLabel(preview)}
        </Button>
      </div>
    </Dialog>
  );
}

function revokeLabel({ denied, stopped }: RevocationView): string {
  const parts = [
    denied.count > 0 ? `deny ${denied.count}` : null,
    stopped.count > 0 ? `stop ${stopped.count}` : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return "Revoke key";
  return parts.length === 1 ? `Revoke and ${parts[0]}` : `Revoke, ${parts.join(" and ")}`;
}
