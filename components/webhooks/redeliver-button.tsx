"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { ActRefusal } from "@/components/webhooks/act-refusal";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";

interface RedeliverButtonProps {
  endpointId: string;
  eventId: string;
  actions: Pick<EndpointActions, "redeliver">;
}

/** Sends one event again, at once. */
export function RedeliverButton({ endpointId, eventId, actions }: RedeliverButtonProps) {
  const router = useRouter();
  const sending = useEndpointAct(
    () => actions.redeliver({ endpointId, eventId }),
    () => router.refresh(),
  );
  return (
    <>
      <Button kind="outlined" size="small" busy={sending.isBusy} onClick={sending.act}>
        <RotateCw className="ic" />
        {sending.isBusy ? "Redelivering" : "Redeliver now"}
      </Button>
      <ActRefusal message={sending.refusal} />
    </>
  );
}
