/**
 * Set by the launcher for every request, whatever the client sent under this name. `x-forwarded-for` alone is what the
 * client likes it to be.
 */
export const CLIENT_ADDRESS_HEADER = "x-sluice-client-address";

/** As that one: `1` where whoever asks sits at this machine, else `0`. Next writes headers of proxies itself. */
export const AT_THIS_MACHINE_HEADER = "x-sluice-at-this-machine";

/**
 * The address that a request comes from. Sluice itself speaks no TLS, so behind an https address stands a proxy, and
 * the last entry of `x-forwarded-for` is the one that this proxy wrote; all before it are the client's own claims.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  isBehindProxy: boolean,
): string {
  if (isBehindProxy && forwardedFor !== undefined) {
    const last = [forwardedFor].flat().join(",").split(",").at(-1)?.trim();
    if (last) return last;
  }
  return remoteAddress ?? "";
}
