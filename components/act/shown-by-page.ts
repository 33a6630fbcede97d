import { SHOWN_FIELD, withShownField } from "@/lib/contract/shown";

/** The member and the organization that the page shows, for whatever its scripts send (`lib/contract/shown.ts`). */
export function shownByPage(): string {
  return document.querySelector<HTMLElement>("main[data-shown]")?.dataset.shown ?? "";
}

/** The address of a poll of this page. */
export function pollHref(href: string): string {
  return withShownField(href, shownByPage());
}

/** As a form sends it. */
export function shownForm(): FormData {
  const form = new FormData();
  form.set(SHOWN_FIELD, shownByPage());
  return form;
}
