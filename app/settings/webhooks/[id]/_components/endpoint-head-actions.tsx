"use client";

import { RefreshCw, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { deliveryCount } from "@/app/settings/webhooks/_components/delivery-words";
import {
  deleteEndpoint,
  recreateEndpoint,
  sendTestEvent,
  switchOffEndpoint,
  switchOnEndpoint,
} from "@/app/settings/webhooks/actions";
import { ConfirmButton } from "@/components/act/confirm-button";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { RefusalNote } from "@/components/act/refusal-note";
import { SecretDialog } from "@/components/act/secret-box";
import { useAction } from "@/components/act/use-action";
import { PageActions } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { MONO } from "@/components/ui/text-styles";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import type { EndpointFactsView } from "@/lib/views/webhooks/endpoint-facts";

interface EndpointHeadActionsProps {
  endpoint: EndpointFactsView;
}

export function EndpointHeadActions({ endpoint }: EndpointHeadActionsProps) {
  const testing = useAction(sendTestEvent, {
    afterwards: (router, { href }) => router.push(href, { scroll: false }),
  });
  const isOff = endpoint.state.kind === "OFF";
  return (
    <div className="flex-none max-w-full [&_.notice]:max-w-[44ch] [&_.notice]:mt-3">
      <PageActions>
        <DeleteEndpoint endpoint={endpoint} />
        {isOff ? null : <SwitchOff endpoint={endpoint} />}
        {isOff ? (
          <SwitchOn endpoint={endpoint} />
        ) : (
          <Button
            kind="outlined"
            busy={testing.isBusy}
            onClick={() => testing.run({ endpointId: endpoint.id })}
          >
            <Send />
            Send test event
          </Button>
        )}
      </PageActions>
      <RefusalNote message={testing.message} />
    </div>
  );
}

function DeleteEndpoint({ endpoint }: EndpointHeadActionsProps) {
  const unsent = endpoint.retryingCount + endpoint.waitingCount;
  return (
    <ConfirmButton
      button={(open) => (
        <Button kind="quiet" onClick={open}>
          Delete endpoint
        </Button>
      )}
      title="Delete this endpoint?"
      keepLabel="Keep it"
      actLabel="Delete endpoint"
      busyLabel="Deleting"
      kind="deny"
      act={deleteEndpoint}
      input={{ endpointId: endpoint.id }}
      options={{
        proof: () => ({
          act: `DELETE_ENDPOINT:${endpoint.id}`,
          title: `Delete the endpoint ${endpoint.url}`,
          confirmLabel: "Delete endpoint",
        }),
        afterwards: (router) => router.push("/settings/webhooks"),
      }}
      leaves
    >
      <p>
        Nothing more will be sent to <span className={`${MONO} wrap-anywhere`}>{endpoint.displayUrl}</span>,
        and its secret cannot be restored.
      </p>
      <p>{unsent === 0 ? "It has no waiting deliveries." : `${deliveryCount(unsent)} will not be sent.`}</p>
    </ConfirmButton>
  );
}

function SwitchOff({ endpoint }: EndpointHeadActionsProps) {
  return (
    <ConfirmButton
      button={(open) => (
        <Button kind="quiet" onClick={open}>
          Switch off
        </Button>
      )}
      title="Switch this endpoint off?"
      keepLabel="Keep it on"
      actLabel="Switch off"
      busyLabel="Switching off"
      kind="primary"
      act={switchOffEndpoint}
      input={{ endpointId: endpoint.id }}
    >
      <p>
        Nothing is sent until it is switched on. Events are kept for up to {EVENT_RETENTION_DAYS} days and
        sent then.
      </p>
    </ConfirmButton>
  );
}

interface SwitchOnProps {
  endpoint: EndpointFactsView;
}

/** Says how many events are sent at once. */
function SwitchOn({ endpoint }: SwitchOnProps) {
  const held = endpoint.retryingCount + endpoint.waitingCount;
  return (
    <ConfirmButton
      button={(open) => (
        <Button kind="primary" onClick={open}>
          Switch on
        </Button>
      )}
      title="Switch this endpoint on?"
      keepLabel="Keep it off"
      actLabel="Switch on"
      busyLabel="Switching on"
      kind="primary"
      act={switchOnEndpoint}
      input={{ endpointId: endpoint.id }}
    >
      <p>
        {held === 0
          ? "It has no waiting events. It will get every new event."
          : `${deliveryCount(held)} will be sent now.`}
      </p>
      {endpoint.deadCount > 0 ? <p>Failed deliveries stay failed until you send them again.</p> : null}
    </ConfirmButton>
  );
}

interface RecreateEndpointProps {
  endpointId: string;
}

/** Rotates the secret without a gap: a second endpoint whose first success ends the old one. */
export function RecreateEndpoint({ endpointId }: RecreateEndpointProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const recreating = useAction(recreateEndpoint, {
    proof: () => ({
      act: `RECREATE_ENDPOINT:${endpointId}`,
      title: "Create a new secret for this endpoint",
      confirmLabel: "Create a new secret",
    }),
    onDone: () => setIsAsking(false),
    afterwards: null,
  });
  const made = recreating.result;
  return (
    <>
      <Button kind="outlined" size="small" onClick={() => setIsAsking(true)}>
        <RefreshCw />
        Recreate
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title="Recreate it with a new secret?"
          keepLabel="Keep the secret"
          actLabel="Create a new secret"
          busyLabel="Creating"
          kind="primary"
          action={recreating}
          onAct={() => recreating.run({ endpointId })}
          onClose={() => setIsAsking(false)}
        >
          <p>
            This adds a second endpoint at the same address with its own secret. Both get every event until
            the new one first gets a 2xx. Then the old one is deleted, and the new one sends its remaining
            events.
          </p>
          <p>
            Until then each event comes twice, with the same event ID and two signatures. Let the receiver
            accept both secrets, or change its secret at once; the old endpoint may fail meanwhile.
          </p>
        </ConfirmDialog>
      ) : null}
      {made ? (
        <SecretDialog
          title="The new secret is ready"
          lede="Copy it now. It will not be shown again."
          text={made.secret}
          noun="secret"
          whenLost="Recreate the endpoint again."
          closeLabel="Go to the new endpoint"
          onClose={() => router.push(made.href)}
        />
      ) : null}
    </>
  );
}
