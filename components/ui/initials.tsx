/** Decorative: the person's name is beside it or labels it. */
export function Initials({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  return (
    <span
      className={`grid flex-none place-items-center rounded-full bg-water-3 text-[11px] font-semibold tracking-[0.02em] text-teal-strong ${isLarge ? "size-9" : "size-7.5"}`}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => Array.from(word ?? "")[0] ?? "")
    .join("")
    .toUpperCase();
}
