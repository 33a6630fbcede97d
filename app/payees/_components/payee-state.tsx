import { CircleCheck, CircleSlash, Clock, PencilLine } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { PayeeRowView } from "@/lib/views/payees/read-payees";

export function PayeeState({
  payee: { state, changeIsWaiting },
}: {
  payee: Pick<PayeeRowView, "state" | "changeIsWaiting">;
}) {
  if (state === "REMOVED") {
    return (
      <Status tone="mute" icon={<CircleSlash aria-hidden="true" />}>
        Removed
      </Status>
    );
  }
  if (state === "NEEDS_DETAILS") {
    return (
      <Status tone="amber" icon={<PencilLine aria-hidden="true" />}>
        Needs an account
      </Status>
    );
  }
  if (state === "WAITING" || changeIsWaiting) {
    return (
      <Status tone="amber" icon={<Clock aria-hidden="true" />}>
        {changeIsWaiting ? "Change waits" : "To be confirmed"}
      </Status>
    );
  }
  return (
    <Status tone="green" icon={<CircleCheck aria-hidden="true" />}>
      Can be paid
    </Status>
  );
}
