import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const drawerClass = cva("border-double border-rule-strong", {
  variants: {
    place: {
      // One of a list: on phones, in its place.
      list: "sticky top-0 max-h-screen pt-4 pb-2 pl-8 border-l-3 overflow-y-auto max-lg:pl-6 max-sm:static max-sm:max-h-none max-sm:pb-0 max-sm:pl-0 max-sm:border-l-0",
      // A long one: in a narrow window, above the list.
      log: "sticky top-0 max-h-screen pb-2 pl-8 border-l-3 overflow-y-auto max-[901px]:order-first max-[901px]:pt-4 max-[901px]:pb-6 max-[901px]:pl-0 max-[901px]:border-t-3 max-[901px]:border-b max-[901px]:border-l-0 max-sm:static max-sm:max-h-none",
      alone: "max-w-110 px-8 pt-6 pb-8 border-l-3",
    },
  },
});

interface DrawerProps extends Required<VariantProps<typeof drawerClass>> {
  id?: string;
  label: string;
  children: ReactNode;
}

/** One of a list, opened beside it. */
export function Drawer({ place, id, label, children }: DrawerProps) {
  return (
    <aside className={drawerClass({ place })} id={id} aria-label={label}>
      {children}
    </aside>
  );
}

/** What is open, and at the right the way back. */
export const DRAWER_HEAD =
  "flex items-center justify-between mb-2 [&_.button]:w-8 [&_.button]:p-0 [&_.button_svg]:m-0 max-sm:[&_.button]:w-11 max-sm:[&_.button]:min-h-11";

const splitClass = cva("grid items-start", {
  variants: {
    place: {
      list: "grid-cols-[minmax(0,1fr)_416px] gap-10 max-lg:grid-cols-[minmax(0,1fr)_340px] max-lg:gap-6 max-sm:grid-cols-1",
      log: "grid-cols-[minmax(0,1fr)_416px] gap-10 max-lg:grid-cols-[minmax(0,1fr)_340px] max-lg:gap-6 max-[901px]:grid-cols-1",
    },
  },
});

interface SplitProps extends Required<VariantProps<typeof splitClass>> {
  isOpen: boolean;
  children: ReactNode;
}

/** A list, and its drawer once one is open: what the list then leaves out says `in-[[data-split]]`. */
export function Split({ place, isOpen, children }: SplitProps) {
  return (
    <div className={isOpen ? splitClass({ place }) : undefined} data-split={isOpen || undefined}>
      {children}
    </div>
  );
}
