/** A text with what was looked for marked in it, where it is there. */
export function Marked({ text, part }: { text: string; part: string }) {
  const looked = part.trim().toLowerCase();
  const at = looked === "" ? -1 : text.toLowerCase().indexOf(looked);
  if (at === -1) return <span>{text}</span>;
  const end = at + looked.length;
  return (
    <span>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </span>
  );
}
