import { Note } from "@/components/ui/note";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import { lookAlikeWords } from "@/lib/words/look-alike-words";

/** On the page of an account, payee or rule: a name alone does not say which one it is. */
export function LookAlikeNote({ names }: { names: readonly LookAlike[] }) {
  if (names.length === 0) return null;
  const { title, text } = lookAlikeWords(names);
  return (
    <Note>
      <strong>{title}.</strong> {text}
    </Note>
  );
}
