import type { Runtime } from "@/lib/next/runtime";
import type { OnboardingOffers } from "@/lib/views/read-onboarding";

/** Test money and sample details exist only where everything outside is simulated. */
export function offersOf({
  sandbox,
  identity,
  smsWay,
}: Pick<Runtime, "sandbox" | "identity" | "smsWay">): OnboardingOffers {
  return {
    hasSandbox: sandbox !== null,
    hasSandboxIdentity: identity.isSandbox,
    hasSms: smsWay !== "NONE",
  };
}
