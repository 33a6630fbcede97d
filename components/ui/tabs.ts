import { cva } from "class-variance-authority";

/** `page`: on the rule above a page's content. `panel`: above one part of it. */
export const tabListClass = cva("flex", {
  variants: {
    kind: {
      page: "gap-7 border-b border-rule-strong max-sm:gap-5 max-sm:pb-0.75 max-sm:-mb-0.75 max-sm:overflow-x-auto max-sm:overflow-y-hidden max-sm:[scrollbar-width:none]",
      panel: "gap-5",
    },
  },
});

/** The chosen tab's gate closes the rule below it. */
export const tabClass = cva("relative font-medium text-ink-2", {
  variants: {
    kind: {
      page: "inline-flex items-center gap-2 min-h-11 whitespace-nowrap hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-0 aria-[current]:after:-bottom-0.75 aria-[current]:after:h-1.25 aria-[current]:after:bg-teal",
      panel:
        "min-h-10 cursor-pointer max-sm:min-h-11 aria-selected:font-semibold aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-0 aria-selected:after:bottom-0.5 aria-selected:after:h-1.25 aria-selected:after:bg-teal",
    },
  },
});

/** How many a tab lists. */
export const TAB_COUNT = "text-sm/5 font-normal text-ink-3";
