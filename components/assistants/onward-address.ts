import { UNSAFE_SCHEMES } from "@/lib/contract/unsafe-schemes";

/**
 * Where a browser may be sent on from the consent page: another site, a program on this machine, or an app by its own
 * scheme (`cursor://…`). Null for what would run as a script of ours: a client chose where it goes back to.
 */
export function onwardAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return UNSAFE_SCHEMES.has(url.protocol) ? null : url.href;
}
