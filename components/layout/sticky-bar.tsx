import type { ReactNode } from "react";

interface StickyBarProps {
  label: string;
  /** With one button; otherwise the second of two is wider. */
  single?: boolean;
  /** With three buttons; the last is wider. */
  three?: boolean;
  children: ReactNode;
}

/** What to do next, within thumb's reach; only on phones. */
export function StickyBar({ label, single = false, three = false, children }: StickyBarProps) {
  const columns = single ? "grid-cols-1" : three ? "grid-cols-[1fr_1fr_1.5fr]" : "grid-cols-[1fr_2.1fr]";
  return (
    <section
      className={`hidden max-sm:grid fixed inset-x-0 bottom-0 z-6 ${columns} gap-2.5 px-5 pt-3 pb-[calc(14px+env(safe-area-inset-bottom))] border-t-3 border-double border-rule-strong bg-surface print:hidden [&>:is(a,button)]:min-h-13 max-sm:[html:has(&)]:scroll-pb-35`}
      aria-label={label}
    >
      {children}
    </section>
  );
}

/** Two facts above the buttons. */
export function BarFacts({ children }: { children: ReactNode }) {
  return <div className="col-span-full flex justify-between gap-4 text-[13px]/5 text-ink-2">{children}</div>;
}
