import { CircleMinus, Hourglass, TriangleAlert } from "lucide-react";
import type { SluiceState } from "@/components/sluice/row-sluice";
import { GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { EndpointStateView } from "@/lib/views/webhooks/endpoint-facts";

const SLUICE: Record<EndpointStateView["kind"], SluiceState> = {
  NEW: "queued",
  RECEIVING: "open",
  FAILING: "denied",
  OFF: "expired",
};

/** Never amber, which means waiting for a person. */
export function sluiceOfEndpoint({ kind }: EndpointStateView): SluiceState {
  return SLUICE[kind];
}

export function EndpointState({ state }: { state: EndpointStateView }) {
  switch (state.kind) {
    case "NEW":
      return (
        <Status tone="mute" icon={<Hourglass />}>
          Nothing sent yet
        </Status>
      );
    case "RECEIVING":
      return (
        <Status tone="teal" icon={<GateOpenIcon />}>
          Receiving
        </Status>
      );
    case "FAILING":
      return (
        <Status tone="red" icon={<TriangleAlert />}>
          Failing
        </Status>
      );
    case "OFF":
      return (
        <Status tone="mute" icon={<CircleMinus />}>
          Switched off
        </Status>
      );
  }
}
