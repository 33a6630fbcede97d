import type { BrowserFacts } from "@/lib/core/members/session";

/**
 * Set by the launcher for every request, whatever the client sent under this name: the socket's address, or what a
 * trusted proxy says. `x-forwarded-for` alone is what the client likes it to be.
 */
export const CLIENT_ADDRESS_HEADER = "x-sluice-client-address";

/** Who asks, as far as a request tells. */
export function browserFacts(header: (name: string) => string | null | undefined): BrowserFacts {
  return {
    networkAddress: header(CLIENT_ADDRESS_HEADER) ?? null,
    userAgent: header("user-agent") ?? "",
  };
}
