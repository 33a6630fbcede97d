/** For titles of any size. */
export const TITLE_FACE = "font-display font-normal tracking-[-0.016em] text-balance";
export const PAGE_TITLE = `${TITLE_FACE} text-2xl max-sm:text-[27px]/8.25`;
export const SECTION_TITLE = "text-lg font-semibold tracking-[-0.008em]";
export const LEDE = "max-w-[62ch] text-md text-ink-2 text-pretty";
/** Below a page's title. */
export const PAGE_LEDE = "mt-1.5 max-w-[74ch] text-md text-ink-2 text-pretty";
/** A second line below a name or an amount, in lighter type. */
export const SUBLINE = "subline block text-sm font-normal text-ink-3";
/** Identifiers, paths, times to the second. */
export const MONO = "font-mono text-[0.93em] tracking-[-0.01em]";
/** Names of API keys. */
export const KEY_NAME = "font-mono text-[0.93em] font-medium tracking-[-0.015em] max-[381px]:wrap-anywhere";
/** A rule or a key in one sentence. */
export const SPOKEN =
  "mt-2 font-display text-[20px]/7.5 tracking-[-0.014em] text-ink-2 wrap-anywhere [&_b]:font-[550] [&_b]:text-ink";
/** A short fact in a frame. */
export const TAG =
  "inline-flex items-center gap-1.5 px-1.75 py-px border border-rule-strong rounded-sm text-xs/4.5 whitespace-nowrap text-ink-2";
/** What a rule or a key does, as the first thing its page says. */
export const WHOLE_SENTENCE =
  "max-w-[68ch] font-display text-[24px]/9 font-[380] tracking-[-0.014em] text-ink-2 text-pretty [&_b]:font-medium [&_b]:text-ink max-sm:text-[21px]/7.75";

/** A link in text. */
export const LINK =
  "text-teal underline decoration-current/35 decoration-1 underline-offset-3 hover:decoration-current";
/** A button that reads like a link in text. */
export const LINK_BUTTON = `cursor-pointer max-sm:min-h-11 ${LINK}`;
