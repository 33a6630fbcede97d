import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

/** `:where()` leaves the rules of terms and values without specificity, so their own utilities win. */
const definitionListClass = cva("grid [:where(&_dt)]:text-ink-3 [:where(&_dd)]:min-w-0", {
  variants: {
    columns: {
      terms: "grid-cols-[max-content_1fr]",
      longValues: "grid-cols-[max-content_minmax(0,1fr)]",
      // In a narrow column, a long value takes its room from the term, which may wrap.
      values: "grid-cols-[minmax(0,1fr)_max-content] [:where(&_dd)]:whitespace-nowrap",
      wideTerms: "grid-cols-[200px_minmax(0,1fr)]",
    },
    gap: {
      wide: "gap-x-5 gap-y-2.25",
      narrow: "gap-x-3 gap-y-2.25",
      close: "gap-x-4 gap-y-1.5",
      tight: "gap-x-4 gap-y-1",
    },
    align: { right: "[:where(&_dd)]:text-right [:where(&_dd)]:font-medium", left: "" },
    breaks: { words: "[:where(&_dd)]:wrap-break-word", anywhere: "[:where(&_dd)]:wrap-anywhere" },
    stacksOnPhones: { true: "max-sm:grid-cols-1 max-sm:gap-0.5 max-sm:[&_dd]:mb-2.5" },
  },
  defaultVariants: { columns: "terms", gap: "wide", align: "right", breaks: "words" },
});

interface DefinitionListProps extends VariantProps<typeof definitionListClass> {
  /** Margins, padding and rules around it. */
  className?: string;
  children: ReactNode;
}

export function DefinitionList({ className = "", children, ...look }: DefinitionListProps) {
  return <dl className={`${definitionListClass(look)} ${className}`}>{children}</dl>;
}
