import { beginPresence, confirmPresence } from "@/app/settings/security/actions";
import type { BoundPresence } from "@/components/act/prove";
import type { StepUpAct } from "@/lib/contract/confirmation/step-up";

/** @param shown by the page that asks for the proof */
export function presenceFor(act: StepUpAct, shown: string): BoundPresence {
  return {
    beginPresence: () => beginPresence(act, shown),
    confirmPresence: (confirmation) => confirmPresence({ act, confirmation }, shown),
  };
}
