/** The gate of a link whose page is on its way. */
const GOING_ABOVE =
  "data-going:after:absolute data-going:after:inset-x-0 data-going:after:top-0 data-going:after:h-0.75 data-going:after:bg-teal";

/** One tab at the foot of a phone. */
export const TAB = `relative grid flex-1 content-center justify-items-center gap-0.75 min-h-14 text-[11px]/3.5 font-medium text-ink-3 data-going:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-teal data-current:font-semibold data-current:text-teal [&>svg]:size-5 ${GOING_ABOVE}`;
