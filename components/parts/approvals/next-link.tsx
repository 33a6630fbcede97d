"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";

let decidedId: string | null = null;

/** The page that follows shows where to go on, and the focus goes there: its buttons are gone. */
export function rememberDecided(proposalId: string): void {
  decidedId = proposalId;
}

interface NextLinkProps {
  /** The proposal that this page shows. */
  proposalId: string;
  href: string;
  className: string;
  /** The next proposal, which `N` opens; otherwise the list. */
  isNext: boolean;
  children: ReactNode;
}

/** The way on from a decided proposal. It has the focus right after the decision, not when an old one is opened. */
export function NextLink({ proposalId, href, className, isNext, children }: NextLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Panel and bar both have one; only one of them is visible.
    if (decidedId !== proposalId || link.current?.offsetParent === null) return;
    decidedId = null;
    link.current?.focus();
  }, [proposalId]);
  useKeys(isNext ? { n: openNext } : {});
  return (
    <a className={className} href={href} ref={link} data-next={isNext ? "" : undefined}>
      {children}
    </a>
  );
}

/** The key reaches the link that was shown first, which may be the hidden one. */
function openNext(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-next]")];
  links.find(({ offsetParent }) => offsetParent !== null)?.click();
}
