"use client";

import { useMemo } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";

/** `J` and `K` move the focus through the links of a list; Enter opens the focused one. */
export function InboxKeys({ listId }: { listId: string }) {
  const keys = useMemo(() => ({ j: () => moveFocus(listId, 1), k: () => moveFocus(listId, -1) }), [listId]);
  useKeys(keys);
  return null;
}

function moveFocus(listId: string, step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(`#${CSS.escape(listId)} > li > a`)];
  const focused = document.activeElement;
  const current = focused instanceof HTMLAnchorElement ? links.indexOf(focused) : -1;
  const next = current === -1 ? 0 : Math.min(links.length - 1, Math.max(0, current + step));
  links[next]?.focus();
}
