import { cva } from "class-variance-authority";

/** A word of a sentence that opens a small control, or is one. */
export const partClass = cva(
  "max-w-full mx-px px-1.5 border-b-[1.5px] border-b-teal rounded-t-[3px] font-sans text-[0.94em] font-semibold text-ellipsis [fieldset:disabled_&]:cursor-not-allowed [fieldset:disabled_&]:opacity-60",
  {
    variants: {
      control: {
        field: "min-h-6.5 leading-6.5 max-sm:min-h-10 max-sm:leading-10",
        select: "min-h-6.5 leading-6.5 cursor-pointer max-sm:min-h-10 max-sm:leading-10",
        button:
          "inline-flex items-center gap-1.25 min-h-6.5 leading-6.5 cursor-pointer text-left align-baseline aria-expanded:bg-teal aria-expanded:text-on-teal max-sm:min-h-11 max-sm:leading-6 max-sm:whitespace-normal [&>svg]:flex-none [&>svg]:size-3 [&>svg]:stroke-[2.2] [&>svg]:text-teal aria-expanded:[&>svg]:text-inherit",
      },
      missing: {
        true: "border-x border-t border-x-edge border-t-edge border-dashed [border-bottom-style:solid] text-ink-2",
        false: "bg-water-3 text-ink hover:bg-water-2",
      },
    },
    defaultVariants: { missing: false },
  },
);

/** A sentence with such words: as high as they are. */
export const PART_SENTENCE = "text-[16px]/8.5 text-ink-2 max-sm:leading-12";
/** In the editor, where they have the height of a finger on phones. */
export const EDITED_SENTENCE = "text-[16px]/8.5 text-ink-2 max-sm:leading-13";
/** One part of the rule, its name at the left. */
export const EDITOR_BLOCK =
  "grid grid-cols-[84px_minmax(0,1fr)] gap-5 py-5.5 border-b border-rule-strong last-of-type:border-b-0 max-sm:grid-cols-1 max-sm:gap-1.5";
/** Beside it, or above it on a phone. */
export const EDITOR_BLOCK_HEAD =
  "text-sm/7.5 font-normal text-ink-3 [&_h2]:text-sm/7.5 [&_h2]:font-normal [&_h2]:text-ink-3 [&_b]:block [&_b]:text-[14px] [&_b]:text-ink max-sm:flex max-sm:items-center max-sm:justify-between max-sm:[&_b]:inline max-sm:[&_b]:mr-2";
/** The buttons below a list that add to it. */
export const ADD_LINE = "flex flex-wrap gap-1 mt-1.5 -ml-2.5";
