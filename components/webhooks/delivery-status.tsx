import { Check, Pause, RotateCw, Send, TriangleAlert } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { DeliveryStateView } from "@/lib/contract/views/webhooks-view";

/** Where one delivery stands. */
export function DeliveryStatus({ state }: { state: DeliveryStateView }) {
  switch (state.kind) {
    case "DELIVERED":
      return (
        <Status tone="mute" icon={<Check className="ic" />}>
          Delivered
        </Status>
      );
    case "GAVE_UP":
      return (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          Gave up
        </Status>
      );
    case "WAITING":
    case "RETRYING":
      if (state.isHeld) {
        return (
          <Status tone="mute" icon={<Pause className="ic" />}>
            Held back
          </Status>
        );
      }
      return state.kind === "RETRYING" ? (
        <Status tone="teal" icon={<RotateCw className="ic" />}>
          Retrying
        </Status>
      ) : (
        <Status tone="teal" icon={<Send className="ic" />}>
          Sending
        </Status>
      );
  }
}
