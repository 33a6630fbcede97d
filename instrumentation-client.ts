import { SHOWN_HEADER } from "@/lib/contract/shown";

/**
 * Every request that the scripts of a page send here (actions, navigations, polls) says which organization the page
 * showed. In the one place that they all go through: a request that forgot it would act wherever another tab has
 * switched to, so the server refuses it (`askingMember`).
 */
const send = window.fetch;
let shown = "";

window.fetch = (input, init) => {
  if (!isOwn(input)) return send(input, init);
  // Pages in front of the product show none, and say so. A page that broke says nothing: then as it was before.
  shown = document.querySelector<HTMLElement>("main[data-shown]")?.dataset.shown ?? shown;
  if (shown === "") return send(input, init);
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set(SHOWN_HEADER, shown);
  return send(input, { ...init, headers });
};

function isOwn(input: RequestInfo | URL): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return URL.canParse(address, window.location.href)
    ? new URL(address, window.location.href).origin === window.location.origin
    : false;
}
