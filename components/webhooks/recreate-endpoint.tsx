"use client";

import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { SecretDialog } from "@/components/secrets/secret-dialog";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/webhooks/act-dialog";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";

interface RecreateEndpointProps {
  endpointId: string;
  actions: Pick<EndpointActions, "recreateEndpoint" | keyof PresenceActions>;
}

/** A new secret without a gap: a new endpoint at the same address, whose first success ends the old one. */
export function RecreateEndpoint({ endpointId, actions }: RecreateEndpointProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [made, setMade] = useState<Extract<NewEndpointResult, { kind: "CREATED" }> | null>(null);
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Make a new secret" });
  const recreating = useEndpointAct(
    () => actions.recreateEndpoint({ endpointId }),
    (result) => {
      setMade(result);
      setIsAsking(false);
    },
    stepUp.prove,
  );
  return (
    <>
      <Button kind="outlined" size="small" onClick={() => setIsAsking(true)}>
        <RefreshCw className="ic" />
        Recreate
      </Button>
      {isAsking ? (
        <ActDialog
          title="Recreate it with a new secret?"
          keepLabel="Keep the secret"
          actLabel="Make a new secret"
          busyLabel="Making it"
          kind="primary"
          act={recreating}
          onClose={() => setIsAsking(false)}
        >
          <p>
            A second endpoint at the same address, with a secret of its own. Both get every event until the
            new one has been answered with 2xx for the first time. Then the old one goes, and what it still
            had to send is sent by the new one.
          </p>
          <p>
            Until then each event comes twice, under one event id and with two signatures. Let the receiver
            check with both secrets, or change its secret at once: the old endpoint may fail meanwhile.
          </p>
        </ActDialog>
      ) : null}
      {stepUp.dialog}
      {made ? (
        <SecretDialog
          title="The new secret is ready"
          lede="Copy it now. It is not shown again."
          text={made.secret}
          noun="secret"
          whenLost="Recreate the endpoint again."
          closeLabel="To the new endpoint"
          onClose={() => router.push(made.href)}
        />
      ) : null}
    </>
  );
}
