/** What the keyboard does here. For sighted users of a keyboard; every key has a control that does the same. */
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
