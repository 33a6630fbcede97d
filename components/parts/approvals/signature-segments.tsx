/** One for each signature that is needed, filled when given. */
export function SignatureSegments({ given, needed }: { given: number; needed: number }) {
  return (
    <div className="my-2 flex gap-1.5" role="img" aria-label={`${given} of ${needed} signatures`}>
      {Array.from({ length: needed }, (_, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: places, which never reorder.
          key={at}
          className={`h-2.5 flex-1 border border-t-0 border-ink-3 ${at < given ? "bg-water" : ""}`}
        />
      ))}
    </div>
  );
}
