import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import type { BrowserFacts } from "@/lib/core/shared/session";

/** Who asks, as far as a request tells. */
export function browserFacts(
  header: (name: string) => string | null | undefined,
  browserIds: readonly string[],
): BrowserFacts {
  return {
    networkAddress: header(CLIENT_ADDRESS_HEADER) || null,
    userAgent: header("user-agent") ?? "",
    browserIds,
  };
}
