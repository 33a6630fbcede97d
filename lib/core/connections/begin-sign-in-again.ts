import { beginConnecting } from "@/lib/core/connections/begin-connecting";
import { signInAgain } from "@/lib/core/connections/sign-in-again";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";

export type SignInBegun =
  /** A sandbox institution asks for no password: that was the sign-in. */
  | { kind: "SIGNED_IN" }
  /** The provider's dialog is opened with this, and `signInAgain` follows. */
  | { kind: "LINK"; linkToken: string };

/**
 * Begins to sign in anew at an institution that asks for it.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginSignInAgain(
  services: Pick<Services, "pool" | "wake">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<SignInBegun> {
  const step = await beginConnecting(services, aggregator, context, {
    institutionId: null,
    again: { connectionId },
  });
  if (step.kind === "LINK") return { kind: "LINK", linkToken: step.linkToken };
  await signInAgain(services, context, connectionId);
  return { kind: "SIGNED_IN" };
}
