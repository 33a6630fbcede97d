import type { ReactNode } from "react";

/** `:where()` leaves the rules without specificity, so a row's own utilities win. */
const LIST =
  "[:where(&>li)]:flex [:where(&>li)]:items-center [:where(&>li)]:justify-between [:where(&>li)]:min-h-10 [:where(&>li)]:py-2.25 [:where(&>li:not(:last-child))]:border-b [:where(&>li)]:border-rule [:where(&_a)]:font-medium max-sm:[:where(&_a)]:flex max-sm:[:where(&_a)]:items-center max-sm:[:where(&_a)]:min-h-11";

/** Rows with a link, and one fact at the right. */
export function LinkList({ className = "", children }: { className?: string; children: ReactNode }) {
  return <ul className={`${LIST} ${className}`}>{children}</ul>;
}
