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
  /** It is being sent: the button stays, so that the focus does. */
  isUnderWay: boolean;
  actions: Pick<EndpointActions, "redeliver">;
}

/** Sends one event again, at once. */
export function RedeliverButton({ endpointId, eventId, isUnderWay, actions }: RedeliverButtonProps) {
  const router = useRouter();
  const sending = useEndpointAct(
    () => actions.redeliver({ endpointId, eventId }),
    () => router.refresh(),
  );
  const isBusy = sending.isBusy || isUnderWay;
  return (
    <div className="att-r">
      <Button kind="outlined" size="small" busy={isBusy} onClick={sending.act}>
        <RotateCw className="ic" />
        {isBusy ? "Sending" : "Redeliver now"}
      </Button>
      <ActRefusal message={sending.refusal} />
    </div>
  );
}
