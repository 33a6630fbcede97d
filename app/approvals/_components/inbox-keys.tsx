"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";

interface InboxKeysProps {
  /** Finds what `J` and `K` move the focus through, in order. */
  stops: string;
  /** The proposal that closes first, for `N`. */
  nextHref: string | null;
  /** The review of what waits, for `R`; null: there is none. */
  reviewHref: string | null;
}

/** `J` and `K` move the focus through a list, Enter opens what has it, `N` opens what closes first, `R` the review. */
export function InboxKeys({ stops, nextHref, reviewHref }: InboxKeysProps) {
  const router = useRouter();
  const keys = useMemo(
    () => ({
      j: () => moveFocus(stops, 1),
      k: () => moveFocus(stops, -1),
      ...(nextHref === null ? {} : { n: () => router.push(nextHref) }),
      ...(reviewHref === null ? {} : { r: () => router.push(reviewHref) }),
    }),
    [stops, nextHref, reviewHref, router],
  );
  useKeys(keys);
  return null;
}

function moveFocus(stops: string, step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(stops)];
  const focused = document.activeElement;
  const current = focused instanceof HTMLElement ? all.indexOf(focused) : -1;
  const next = current === -1 ? 0 : Math.min(all.length - 1, Math.max(0, current + step));
  all[next]?.focus();
}
