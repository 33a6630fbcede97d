"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/webhooks/act-dialog";
import { deliveryCount } from "@/components/webhooks/count-words";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";
import type { EndpointFactsView } from "@/lib/contract/views/webhooks-view";

interface SwitchOnProps {
  endpoint: EndpointFactsView;
  actions: Pick<EndpointActions, "switchOnEndpoint">;
}

/** Lets events leave again, and says how many leave at once. */
export function SwitchOn({ endpoint, actions }: SwitchOnProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const switching = useEndpointAct(
    () => actions.switchOnEndpoint({ endpointId: endpoint.id }),
    () => {
      setIsOpen(false);
      router.refresh();
    },
  );
  const held = endpoint.retryingCount + endpoint.waitingCount;
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        Switch on
      </Button>
      {isOpen ? (
        <ActDialog
          title="Switch this endpoint on?"
          keepLabel="Leave it off"
          actLabel="Switch on"
          busyLabel="Switching on"
          kind="primary"
          act={switching}
          onClose={() => setIsOpen(false)}
        >
          <p>
            {held === 0
              ? "Nothing waits for it. It gets every event from now on."
              : `${deliveryCount(held)} ${held === 1 ? "waits and leaves" : "wait and leave"} now.`}
          </p>
          {endpoint.deadCount > 0 ? <p>What was given up stays so until you send it again.</p> : null}
        </ActDialog>
      ) : null}
    </>
  );
}
