import type { ShellActions, Theme } from "@/lib/contract/views/shell-view";

/** Changes the theme at once and keeps it in a cookie, so that the next page is rendered in it. */
export function applyTheme(theme: Theme, setTheme: ShellActions["setTheme"]): void {
  if (theme === "SYSTEM") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.toLowerCase();
  void setTheme(theme);
}
