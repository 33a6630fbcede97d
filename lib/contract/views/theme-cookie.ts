import type { Theme } from "@/lib/contract/views/shell-view";

/** Name of the cookie that keeps the theme. It holds no secret and says nothing about anybody. */
export const THEME_COOKIE = "theme";

/** A year, in seconds. */
export const THEME_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** The theme in a cookie's value; whatever is not one of ours follows the device. */
export function parseTheme(value: string | undefined): Theme {
  return value === "LIGHT" || value === "DARK" ? value : "SYSTEM";
}

/** The value of `data-theme` on `<html>`; undefined follows the device. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  if (theme === "SYSTEM") return undefined;
  return theme === "LIGHT" ? "light" : "dark";
}
