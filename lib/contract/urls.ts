/** Whether a host name is that of the machine itself, whichever machine asks. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Schemes at which a browser runs or shows what the address itself holds, in our name, or what lies on this machine. */
export const UNSAFE_SCHEMES: ReadonlySet<string> = new Set([
  "javascript:",
  "data:",
  "blob:",
  "vbscript:",
  "file:",
  "filesystem:",
  "about:",
  "view-source:",
]);
