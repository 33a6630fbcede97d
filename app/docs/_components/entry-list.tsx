import type { ReactNode } from "react";

/** Fields or links of the reference: a name with a fact at its right, and its sentences below. Nested ones are set in. */
export function EntryList({ children }: { children: ReactNode }) {
  return (
    <ul className="[&>li]:grid [&>li]:grid-cols-[minmax(0,1fr)_auto] [&>li]:gap-x-4 [&>li]:gap-y-0.5 [&>li]:py-3.5 [&>li]:border-rule [&>li:not(:last-child)]:border-b [&_p]:col-span-full [&_p]:text-ink-2 [&_details]:col-span-full [&_details]:text-ink-2 [&_summary]:min-h-7 [&_summary]:pt-1 [&_summary]:text-sm/5 [&_summary]:text-teal [&_summary]:cursor-pointer in-[details]:pl-4 in-[details]:border-l-3 in-[details]:border-double in-[details]:border-rule">
      {children}
    </ul>
  );
}
