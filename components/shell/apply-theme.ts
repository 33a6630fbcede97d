import { setTheme } from "@/app/browser-actions";
import type { Theme } from "@/lib/contract/browser/setting";

/** Applies the theme at once and stores it in a cookie for the next render. */
export function applyTheme(theme: Theme): void {
  if (theme === "SYSTEM") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.toLowerCase();
  void setTheme(theme);
}
