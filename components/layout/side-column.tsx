import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const contentClass = cva("[&_:is(h2,h3).text-base]:mb-3 [&_.section-head]:pb-2.5 print:static", {
  variants: {
    /** Whether it stays in the window while the page scrolls. */
    sticky: { true: "sticky top-6", false: "" },
    gap: {
      normal: "[&>section~section]:mt-9",
      wide: "[&>section~section]:mt-10",
    },
  },
  defaultVariants: { sticky: true, gap: "normal" },
});

interface SideColumnProps extends VariantProps<typeof contentClass> {
  /** `div` where it is the page's main act, not an aside. */
  as?: "aside" | "div";
  label?: string;
  /** Its place in the grid. */
  className?: string;
  contentLayout?: string;
  children: ReactNode;
}

/** The narrow column beside a page's content: sections below one another. */
export function SideColumn({
  as: Element = "aside",
  label,
  sticky,
  gap,
  className = "",
  contentLayout = "",
  children,
}: SideColumnProps) {
  return (
    <Element className={`print:mt-8 ${className}`} aria-label={label}>
      <div className={`${contentClass({ sticky, gap })} ${contentLayout}`}>{children}</div>
    </Element>
  );
}
