/** The number on the installed app's icon; 0 takes it away. Where there are no badges, nothing. */
export function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  // A browser that is not installed may refuse: the page shows the number all the same.
  shown.catch(() => undefined);
}
