/** The badge on the installed app's icon; 0 removes it. */
export function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  // Refused where the app is not installed; the page shows the number anyway.
  shown.catch(() => undefined);
}
