/** Words of a caller, verbatim, in quotation marks. */
export function Quote({ words }: { words: string }) {
  return <blockquote className="quote">“{words}”</blockquote>;
}
