"use client";

import { EndCallerDialog, effectWords } from "@/app/settings/_components/revoke-key";
import { disconnectAssistant, previewDisconnection } from "@/app/settings/assistants/actions";
import { nothingSent, outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import type { AssistantView } from "@/lib/views/assistants/list-assistants";

interface DisconnectAssistantProps {
  assistant: Pick<AssistantView, "id" | "name">;
}

const NOTHING_DISCONNECTED = nothingSent("Nothing was disconnected. Try again.");
const UNKNOWN = outcomeUnknown("it may or may not be disconnected. Reload the page to check.");

/** Disconnects an assistant, after saying what else that ends. */
export function DisconnectAssistant({ assistant }: DisconnectAssistantProps) {
  const which = { assistantId: assistant.id };
  const looking = useAction(previewDisconnection, {
    whenLost: NOTHING_DISCONNECTED,
    isRepeatable: true,
    afterwards: null,
  });

  return (
    <>
      <Button kind="outlined" size="small" busy={looking.isBusy} onClick={() => looking.run(which)}>
        Disconnect<span className="sr-only"> {assistant.name}</span>
      </Button>
      <RefusalNote message={looking.message} />
      {looking.result ? (
        <EndCallerDialog
          title={`Disconnect ${assistant.name}?`}
          lede={`It stops at once. ${effectWords(looking.result.view)} To come back, it has to ask you again.`}
          effects={looking.result.view}
          words={{ keep: "Keep it", busy: "Disconnecting", act: "Disconnect", actAlone: "Disconnect" }}
          end={(shown) => disconnectAssistant(which, shown)}
          whenLost={UNKNOWN}
          onClose={looking.forget}
        />
      ) : null}
    </>
  );
}
