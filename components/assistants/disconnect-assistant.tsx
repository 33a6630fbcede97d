"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Effects, effectWords } from "@/components/keys/revocation-effects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type {
  AssistantRefused,
  AssistantView,
  DisconnectActions,
  DisconnectionView,
} from "@/lib/contract/views/assistants-view";

interface DisconnectAssistantProps {
  assistant: Pick<AssistantView, "id" | "name">;
  actions: DisconnectActions;
}

const UNKNOWN = "We do not know yet whether it was disconnected. Load this page again to see.";
const UNREACHABLE = "Sluice did not answer. Nothing was disconnected. Try again.";

/** Ends the connection of an assistant, after saying what else that ends. */
export function DisconnectAssistant({ assistant, actions }: DisconnectAssistantProps) {
  const [preview, setPreview] = useState<DisconnectionView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isLooking, startLooking] = useTransition();

  const open = () =>
    startLooking(async () => {
      setRefusal(null);
      const result = await actions
        .previewDisconnection({ assistantId: assistant.id })
        .catch((): AssistantRefused => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") setRefusal(result.message);
      else setPreview(result.view);
    });

  return (
    <>
      <Button kind="outlined" size="small" busy={isLooking} onClick={open}>
        Disconnect<span className="vh"> {assistant.name}</span>
      </Button>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      {preview ? (
        <DisconnectDialog
          assistant={assistant}
          preview={preview}
          actions={actions}
          onClose={() => setPreview(null)}
        />
      ) : null}
    </>
  );
}

interface DisconnectDialogProps extends DisconnectAssistantProps {
  preview: DisconnectionView;
  onClose: () => void;
}

function DisconnectDialog({ assistant, preview, actions, onClose }: DisconnectDialogProps) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startDisconnecting] = useTransition();
  const submit = () =>
    startDisconnecting(async () => {
      const result = await actions
        .disconnectAssistant({ assistantId: assistant.id })
        .catch((): AssistantRefused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onClose();
      router.refresh();
    });
  return (
    <Dialog title={`Disconnect ${assistant.name}?`} onCancel={onClose}>
      <p className="ink2 dialog-l">
        It stops at once. {effectWords(preview)} To come back, it has to ask you again.
      </p>
      <Effects effects={[preview.denied, preview.stopped]} />
      <p className="meta">What has already moved stays as it is, and what the bank has goes on.</p>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button kind="deny" busy={isBusy} onClick={submit}>
          {isBusy ? "Disconnecting" : disconnectLabel(preview)}
        </Button>
      </div>
    </Dialog>
  );
}

function disconnectLabel({ denied, stopped }: DisconnectionView): string {
  const parts = [
    denied.count > 0 ? `deny ${denied.count}` : null,
    stopped.count > 0 ? `stop ${stopped.count}` : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return "Disconnect";
  return parts.length === 1 ? `Disconnect and ${parts[0]}` : `Disconnect, ${parts.join(" and ")}`;
}
