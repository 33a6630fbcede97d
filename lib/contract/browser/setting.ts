/** What a member chose; `SYSTEM` follows the device. Kept in the cookie `theme`. */
export type Theme = "LIGHT" | "DARK" | "SYSTEM";

/** The theme cookie. It holds no secret and identifies nobody. */
export const THEME_COOKIE = "theme";

/** A year, in seconds. */
export const THEME_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** The theme in a cookie's value; anything unknown follows the device. */
export function parseTheme(value: string | undefined): Theme {
  return value === "LIGHT" || value === "DARK" ? value : "SYSTEM";
}

/** The value of `data-theme` on `<html>`; undefined follows the device. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  if (theme === "SYSTEM") return undefined;
  return theme === "LIGHT" ? "light" : "dark";
}

/** The cookie that switches single-key shortcuts off. It holds no secret. */
export const KEYS_COOKIE = "keys";

/** A year, in seconds. */
export const KEYS_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Whether single-key shortcuts work in this browser; only `off` disables them. */
export function parseSingleKeys(value: string | undefined): boolean {
  return value !== "off";
}
