import type { ReactNode } from "react";

/** Preformatted text that scrolls sideways. It takes the focus, so that a keyboard can scroll it (WCAG 2.1.1). */
export function CodeBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}
