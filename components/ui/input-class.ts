import { cva } from "class-variance-authority";

const ARROW =
  "bg-[image:linear-gradient(45deg,transparent_50%,var(--color-ink-3)_50%),linear-gradient(-45deg,transparent_50%,var(--color-ink-3)_50%)] bg-[length:5px_5px] bg-[position:right_17px_center,right_12px_center] bg-no-repeat";

/** The box of an input, a select or a textarea, or of an input with something beside it (`box`). */
export const inputClass = cva(
  "input flex items-center gap-2 border rounded-md bg-surface placeholder:text-ink-3",
  {
    variants: {
      of: {
        input: "px-3 [&[type=file]]:py-2",
        select: `appearance-none pr-8 pl-3 ${ARROW}`,
        textarea: "px-3 py-2.5 leading-5 resize-y",
        box: "px-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-teal",
      },
      size: {
        small: "text-[14px]",
        medium: "w-full text-[15px]",
      },
      invalid: { true: "border-red", false: "border-edge" },
    },
    compoundVariants: [
      { of: ["input", "select", "box"], size: "medium", className: "min-h-10" },
      { of: ["input", "select", "box"], size: "small", className: "min-h-9" },
      { of: "textarea", className: "min-h-18" },
    ],
    defaultVariants: { of: "input", size: "medium", invalid: false },
  },
);
