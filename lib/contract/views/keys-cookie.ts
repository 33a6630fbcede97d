/** Name of the cookie by which a browser switches single keys off. It holds no secret. */
export const KEYS_COOKIE = "keys";

/** A year, in seconds. */
export const KEYS_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Whether single keys act in this browser; only `off` switches them off. */
export function parseSingleKeys(value: string | undefined): boolean {
  return value !== "off";
}
