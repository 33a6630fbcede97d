/**
 * Name of the cookie that says whether single keys act as shortcuts at this browser. Scripts read it, it holds no secret,
 * and it says nothing about anybody.
 */
export const SINGLE_KEYS_COOKIE = "keys";

/** A year, in seconds. */
export const SINGLE_KEYS_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Whether single keys act; whatever is not `off` leaves them on. */
export function parseSingleKeys(value: string | undefined): boolean {
  return value !== "off";
}
