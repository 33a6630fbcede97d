import type { ReactNode } from "react";

/** `:where()` leaves the rules without specificity, so a row's own utilities win. */
const LIST =
  "[:where(&>li)]:grid [:where(&>li)]:grid-cols-[minmax(0,1fr)_auto] [:where(&>li)]:items-center [:where(&>li)]:gap-6 [:where(&>li)]:py-3.5 [:where(&>li:not(:last-child))]:border-b [:where(&>li)]:border-rule max-sm:[:where(&>li)]:grid-cols-1 max-sm:[:where(&>li)]:gap-2.5 [:where(&>li>div)]:min-w-0 [:where(&>li>div)]:wrap-anywhere [:where(&_b)]:font-medium";

/** One setting a row: what it is, and what changes it. */
export function SettingList({ className = "", children }: { className?: string; children: ReactNode }) {
  return <ul className={`${LIST} ${className}`}>{children}</ul>;
}

/** A row with a switch keeps it at its right on phones. */
export const SWITCH_ROW = "max-sm:grid-cols-[minmax(0,1fr)_auto]";

export function SettingActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-2 max-sm:flex-wrap max-sm:[&_[data-kind='quiet']]:-ml-2.5 max-sm:[&_[data-kind='quiet']]:mr-2.5">
      {children}
    </div>
  );
}
