import type { ReactNode } from "react";

interface NavigationLinkProps {
  href: string;
  isCurrent?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A link of the rail, the tabs and the menu of a phone. A plain one: one listener goes where it leads without loading
 * the document anew, and marks it until the page is there (use-navigation-links). Forty link components would each be
 * woken on a phone before the page could answer.
 */
export function NavigationLink({ href, isCurrent = false, className, children }: NavigationLinkProps) {
  return (
    <a className={className} href={href} data-navigation="" aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}
