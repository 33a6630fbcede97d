import { SHOWN_FIELD } from "@/lib/contract/shown";

/** The member and the organization that the page shows, for whatever its scripts send (`lib/contract/shown.ts`). */
export function shownByPage(): string {
  return document.querySelector<HTMLElement>("main[data-shown]")?.dataset.shown ?? "";
}

/** As a form sends it. */
export function shownForm(): FormData {
  const form = new FormData();
  form.set(SHOWN_FIELD, shownByPage());
  return form;
}
