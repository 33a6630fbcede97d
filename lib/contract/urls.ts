/** Whether a host name always means the local machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Schemes that run or show the address's own content under our name, or open local files. */
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
