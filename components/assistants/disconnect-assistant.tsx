"use client";

import { useState, useTransition } from "react";
import { EndCallerDialog, effectWords } from "@/components/keys/revoke-key";

import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type {
  AssistantView,
  DisconnectActions,
  DisconnectionView,
} from "@/lib/contract/views/assistants-view";

interface DisconnectAssistantProps {
  assistant: Pick<AssistantView, "id" | "name">;
  actions: DisconnectActions;
}

const UNKNOWN = "Sluice did not answer, so it may or may not be disconnected. Reload the page to check.";
const UNREACHABLE = "Sluice did not answer. Nothing was disconnected. Try again.";

/** Disconnects an assistant, after saying what else that ends. */
export function DisconnectAssistant({ assistant, actions }: DisconnectAssistantProps) {
  const [preview, setPreview] = useState<DisconnectionView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isLooking, startLooking] = useTransition();

  const open = () =>
    startLooking(async () => {
      setRefusal(null);
      const result = await actions
        .previewDisconnection({ assistantId: assistant.id })
        .catch((): Refused => ({ kind: "REFUSED", message: UNREACHABLE }));
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
        <EndCallerDialog
          title={`Disconnect ${assistant.name}?`}
          lede={`It stops at once. ${effectWords(preview)} To come back, it has to ask you again.`}
          effects={preview}
          words={{ keep: "Keep it", busy: "Disconnecting", act: "Disconnect", actAlone: "Disconnect" }}
          end={async () => {
            const result = await actions
              .disconnectAssistant({ assistantId: assistant.id })
              .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
            return result.kind === "REFUSED" ? result.message : null;
          }}
          onClose={() => setPreview(null)}
        />
      ) : null}
    </>
  );
}
