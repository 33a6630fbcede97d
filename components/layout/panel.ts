/** The frame around what a member decides or does beside a page. */
export const PANEL = "p-6 border border-rule-strong rounded-md bg-surface";
/** With buttons at its end, one below the other. */
export const PANEL_WITH_BUTTONS = `${PANEL} [&>.button]:mt-4.5 [&>.button+.button]:mt-2.5 [&>p+.button]:mt-1`;
