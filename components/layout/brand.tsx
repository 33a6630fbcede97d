/** The logo: a raised gate over water. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      <path className="fill-water" d="M1 17h26v6H1z" />
      <path className="stroke-ink stroke-[1.6] fill-none" d="M8.5 3v22M19.5 3v22M1 25.5h26" />
      <path className="fill-teal" d="M10.5 5h7v8.5h-7z" />
    </svg>
  );
}

/** The logo with its name beside it. */
export const BRAND_CLASS =
  "inline-flex items-center gap-2.5 font-display text-[21px] font-medium tracking-[-0.012em]";
