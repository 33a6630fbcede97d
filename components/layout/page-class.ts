import { cva } from "class-variance-authority";

/** The margins of a page: beside the rail, or below a top bar. */
export const pageClass = cva(
  "has-[>[data-skeleton]]:relative max-[381px]:px-4 print:m-0 print:max-w-none print:p-0",
  {
    variants: {
      frame: {
        rail: "w-full px-14 pt-10 pb-24 sm:max-lg:px-8 sm:max-lg:pt-8 sm:max-lg:pb-20 max-sm:px-5 max-sm:pt-6 max-sm:pb-28",
        focus:
          "mx-auto max-w-300 px-10 pt-12 pb-24 sm:max-lg:px-8 sm:max-lg:pt-10 sm:max-lg:pb-20 max-sm:px-5 max-sm:pt-6 max-sm:pb-33",
      },
      isWide: { true: "", false: "" },
    },
    compoundVariants: [{ frame: "rail", isWide: false, class: "max-w-308" }],
    defaultVariants: { isWide: false },
  },
);
