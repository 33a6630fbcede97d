import type { FactorStep } from "@/lib/contract/views/auth-view";
import type { MemberActor } from "@/lib/core/shared/context";
import { missingProof } from "@/lib/core/sign-in/presence";
import { hasEnrolledFactor } from "@/lib/core/sign-in/second-factors";
import type { Services } from "@/lib/platform/services";

/**
 * What is left until an organization that asks for a second factor lets this session in. Whoever has one gives it; whoever
 * has none adds one, after their password where that was more than five minutes ago.
 */
export async function readFactorStep(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
): Promise<FactorStep> {
  const proof = await missingProof(services, actor);
  if (proof === "NONE") return { kind: "ADD" };
  return { kind: "PROVE", proof, isAll: await hasEnrolledFactor(services.pool, actor.id) };
}
