const CHOICE =
  "grid flex-none place-items-center size-4.5 m-0 appearance-none border-[1.5px] border-edge bg-surface cursor-pointer checked:border-teal";

export const CHECKBOX = `checkbox ${CHOICE} rounded-sm checked:bg-teal`;
export const RADIO = `${CHOICE} rounded-full checked:border-[5.5px] checked:bg-surface`;
/** The label around a checkbox or a radio button. */
export const CHOICE_LABEL = "inline-flex items-center gap-2.5 min-h-8 cursor-pointer";

const SEGMENTS =
  "border border-edge rounded-md bg-surface overflow-hidden [&>*]:inline-flex [&>*]:items-center [&>*]:gap-1.5 [&>*]:min-h-8.5 [&>*]:px-3 [&>*]:text-[13px] [&>*]:font-medium [&>*]:text-ink-2 [&>*]:cursor-pointer max-sm:[&>*]:min-h-[45px] [&>*+*]:border-l [&>*+*]:border-rule-strong [&_[aria-current]]:bg-water-3 [&_[aria-current]]:font-semibold [&_[aria-current]]:text-ink [&_[aria-pressed='true']]:bg-water-3 [&_[aria-pressed='true']]:font-semibold [&_[aria-pressed='true']]:text-ink";

// What does not fit in one row of a phone goes into a second one, with a line between them.
const ROWS_ON_PHONES =
  "max-sm:flex-wrap max-sm:[&>*]:grow max-sm:[&>*]:-mt-px max-sm:[&>*]:-ml-px max-sm:[&>*]:border-t max-sm:[&>*]:border-l max-sm:[&>*]:border-rule-strong";

/** Around links or buttons of which one is pressed or current. */
export const SEGMENTED = `inline-flex ${ROWS_ON_PHONES} ${SEGMENTS}`;
export const SEGMENTED_WIDE = `flex [&>*]:flex-1 [&>*]:justify-center ${ROWS_ON_PHONES} ${SEGMENTS}`;
