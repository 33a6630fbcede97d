/** Shortcut hints for sighted keyboard users; every key has an equivalent control. */
export function KeyHints({ hints }: { hints: { keys: string[]; does: string }[] }) {
  return (
    <p className="keys hide-s">
      {hints.map(({ keys, does }) => (
        <span key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {does}
        </span>
      ))}
    </p>
  );
}
