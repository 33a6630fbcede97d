export const UNREADABLE = "Sluice cannot read this request. Reload the page. Nothing was changed.";

/** Deeper than any input of ours. */
const MAX_DEPTH = 20;

/**
 * The input, or undefined if it refers to something of the browser: React decodes `$T` to a function that throws whenever
 * a schema reads a property of it, which would be logged as an error of the server.
 */
export function plainInput<Input>(input: Input): Input | undefined {
  return isPlain(input) ? input : undefined;
}

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === "function" || depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((one) => isPlain(one, depth + 1));
}
