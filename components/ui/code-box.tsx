import type { ReactNode } from "react";

/** Samples mark names (`b`), values (`i`) and comments (`em`). */
export const CODE =
  "code-box relative px-4.5 py-4 rounded-md bg-sunken text-[12.5px]/5 text-ink-2 overflow-x-auto [tab-size:2] [&_b]:font-medium [&_b]:text-teal [&_em]:not-italic [&_em]:text-ink-3 [&_i]:not-italic [&_i]:text-ink";

/** Preformatted text that scrolls sideways. It takes the focus, so that a keyboard can scroll it (WCAG 2.1.1). */
export function CodeBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={CODE} tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}
