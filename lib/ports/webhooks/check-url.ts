import { EgressError } from "@/lib/platform/egress/egress-error";
import { type EgressGuard, judgeHost } from "@/lib/platform/egress/guarded-connector";
import { checkUrlText } from "@/lib/ports/webhooks/check-url-text";

/** A person waits for it. */
const LOOKUP_TIMEOUT_MS = 5_000;

/**
 * Whether an endpoint at this address may be saved. It is a help to whoever types it: what counts is checked again for
 * every connection.
 * @returns null, also while DNS does not answer; or a sentence for the form
 */
export async function checkUrl(
  guard: EgressGuard,
  url: string,
  { allowsPrivate, timeoutMs = LOOKUP_TIMEOUT_MS }: { allowsPrivate: boolean; timeoutMs?: number },
): Promise<string | null> {
  const refusal = checkUrlText(url, allowsPrivate);
  if (refusal !== null) return refusal;
  try {
    await judgeHost(guard, hostOf(new URL(url)), timeoutMs);
    return null;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.problem === "ADDRESS") return `${error.message}. Enter one that the internet reaches.`;
    return error.problem === "UNKNOWN_HOST" ? `${error.message}. Check the spelling.` : null;
  }
}

/** Without the brackets of an IPv6 literal. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
