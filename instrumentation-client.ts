import { surviveTranslation } from "@/components/act/survive-translation";
import { SHOWN_HEADER } from "@/lib/contract/shown";

/**
 * Adds the member and organization that the page showed to every request that its scripts send here (actions,
 * navigations, polls). In the one place that all of them pass: a request without them would act as the member who signed in in
 * another tab, on whatever organization that tab switched to, so the server refuses it (`askingMember`).
 */
const send = window.fetch;
let shown = "";

window.fetch = (input, init) => {
  if (!isOwn(input)) return send(input, init);
  // Pages before sign-in show nobody and send an explicit empty value. A page that broke sends none.
  shown = document.querySelector<HTMLElement>("main[data-shown]")?.dataset.shown ?? shown;
  if (shown === "") return send(input, init);
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set(SHOWN_HEADER, shown);
  return send(input, { ...init, headers });
};

surviveTranslation(Node.prototype);

function isOwn(input: RequestInfo | URL): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return URL.canParse(address, window.location.href)
    ? new URL(address, window.location.href).origin === window.location.origin
    : false;
}
