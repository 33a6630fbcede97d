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
