import { cva } from "class-variance-authority";

/** A filter above a list; `on` if something is chosen. */
export const chipClass = cva(
  "inline-flex items-center gap-1.5 min-h-8.5 px-2.5 border rounded-md text-[13px] cursor-pointer max-sm:min-h-11 [&_b]:font-semibold [&_b]:text-ink [&_svg]:size-3.5 [&_svg]:text-ink-3",
  {
    variants: {
      on: { true: "border-teal bg-water-3 text-ink", false: "border-rule-strong text-ink-2" },
    },
    defaultVariants: { on: false },
  },
);
