import type { PasskeyRequestOptions } from "@/lib/contract/views/passkey";
import { byNetworkAsking, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { SIGN_IN_SCOPE } from "@/lib/core/sign-in/challenge";
import { requestPasskey } from "@/lib/core/sign-in/request-passkey";
import type { Services } from "@/lib/platform/services";

/** What a browser needs to ask for any passkey that it knows for this host; nobody has to type who they are. */
export async function beginPasskeySignIn(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  networkAddress: string | null,
): Promise<{ kind: "BEGUN"; options: PasskeyRequestOptions } | Throttled> {
  const attempt = await takeAttempt(services, [byNetworkAsking(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  return { kind: "BEGUN", options: await requestPasskey(services, SIGN_IN_SCOPE, []) };
}
