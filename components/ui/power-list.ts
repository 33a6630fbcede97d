/** What someone or something can do; `data-can="NO"` cannot, `ASKS` asks first. */
export const POWER_LIST =
  "grid gap-2 mt-4 [&_li]:flex [&_li]:items-center [&_li]:gap-2.5 [&_svg]:size-4 [&_svg]:text-teal [&_[data-can=NO]]:text-ink-3 [&_[data-can=NO]_svg]:text-ink-3 [&_[data-can=ASKS]_svg]:text-ink-2";
