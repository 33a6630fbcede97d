import type { ReactNode } from "react";

interface FactLineProps {
  as?: "p" | "div";
  /** Its distance to what is around it. */
  className?: string;
  children: ReactNode;
}

/** A status and a few facts beside one another, above or below a heading. */
export function FactLine({ as: Element = "p", className = "", children }: FactLineProps) {
  return (
    <Element className={`flex flex-wrap items-center gap-y-2 gap-x-4 text-[13px]/5 text-ink-3 ${className}`}>
      {children}
    </Element>
  );
}
