/** The member and the organization that the page shows, for whatever its scripts send (`lib/contract/shown.ts`). */
export function shownByPage(): string {
  return document.querySelector<HTMLElement>("main[data-shown]")?.dataset.shown ?? "";
}
