import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** Stays in place, disabled, without a further page. */
export function PagerLink({ href, children }: { href: string | null; children: string }) {
  if (!href) return <span className={buttonClass({ kind: "off", size: "small" })}>{children}</span>;
  return (
    <Link className={buttonClass({ kind: "outlined", size: "small" })} href={href} scroll={false}>
      {children}
    </Link>
  );
}

const ROW = "flex items-center justify-between pt-4 text-sm/5 text-ink-3 print:hidden";

/** Below a list: what of it is shown, and the ways on. With a label, a navigation. */
export function PagerRow({ label, children }: { label?: string; children: ReactNode }) {
  if (label === undefined) return <div className={ROW}>{children}</div>;
  return (
    <nav className={ROW} aria-label={label}>
      {children}
    </nav>
  );
}
