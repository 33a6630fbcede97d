/** A text to copy, and the button that copies it. */
export const SECRET_LINE =
  "grid grid-cols-[1fr_auto] items-center gap-4 py-3 pr-3 pl-5 border border-edge rounded-md bg-surface max-sm:grid-cols-1 [&_code]:text-[15px] [&_code]:wrap-anywhere";
