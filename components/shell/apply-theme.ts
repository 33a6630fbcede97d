import type { ShellActions, Theme } from "@/lib/contract/views/shell-view";

/** Applies the theme at once and stores it in a cookie for the next render. */
export function applyTheme(theme: Theme, setTheme: ShellActions["setTheme"]): void {
  if (theme === "SYSTEM") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.toLowerCase();
  void setTheme(theme);
}
