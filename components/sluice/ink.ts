/** How every drawing of water, banks and gates is filled and stroked. */
export const WATER = "fill-water-2";
export const RIPPLES = "fill-none stroke-water stroke-[1.5]";
export const BANKS = "fill-none stroke-ink-2";
/** A channel without water. */
export const DRY_BED = "fill-none stroke-rule-strong stroke-[1.4] [stroke-dasharray:3_5]";
export const GATE_LEAF = "fill-teal";
/** Amber only waits for a person. */
export const WAITING_LEAF = "fill-amber-fill";
export const IDLE_LEAF = "fill-rule-strong";
/** Words in a drawing that the eye finds first. */
export const STRONG_TEXT = "fill-ink font-semibold";
