import { useEffect } from "react";

/** Goes where the plain links of the navigation lead, as the router does. @see NavigationLink */
export function useNavigationLinks(go: (href: string) => void): void {
  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const link = navigationLinkOf(event);
      if (!link) return;
      event.preventDefault();
      link.dataset.going = "";
      go(`${link.pathname}${link.search}`);
    };
    document.addEventListener("click", listen);
    return () => document.removeEventListener("click", listen);
  }, [go]);
}

/** The page is there, or the reader stays where they are. */
export function unmarkNavigationLinks(): void {
  for (const link of document.querySelectorAll<HTMLElement>("[data-going]")) delete link.dataset.going;
}

function navigationLinkOf(event: MouseEvent): HTMLAnchorElement | null {
  const isHeld = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  // A new tab, a window or a file is the browser's to open.
  if (event.defaultPrevented || event.button !== 0 || isHeld || !(event.target instanceof Element))
    return null;
  const link = event.target.closest<HTMLAnchorElement>("a[data-navigation]");
  // `/` is two pages behind one address (next.config.mjs), between which the router sees no difference.
  return link && (link.pathname !== "/" || location.pathname !== "/") ? link : null;
}
