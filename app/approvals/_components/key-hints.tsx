/** Shortcut hints for sighted keyboard users; every key has an equivalent control. */
export function KeyHints({ hints }: { hints: { keys: string[]; does: string }[] }) {
  return (
    <p className="flex gap-5 text-[13px] whitespace-nowrap text-ink-3 max-sm:hidden!">
      {hints.map(({ keys, does }) => (
        <span className="inline-flex items-center gap-1.25" key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {does}
        </span>
      ))}
    </p>
  );
}
