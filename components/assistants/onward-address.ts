/** Schemes at which a browser runs or shows what the address itself holds, in our name, or what lies on this machine. */
const REFUSED = new Set([
  "javascript:",
  "data:",
  "blob:",
  "vbscript:",
  "file:",
  "filesystem:",
  "about:",
  "view-source:",
]);

/**
 * Where a browser may be sent on from the consent page: another site, a program on this machine, or an app by its own
 * scheme (`cursor://…`). Null for what would run as a script of ours: a client chose where it goes back to.
 */
export function onwardAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return REFUSED.has(url.protocol) ? null : url.href;
}
