import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";

interface PausedNoteProps {
  /** The page that says why, and what could be moved back. */
  pausedHref: string;
  /** In a list, where several rules stand: which one. */
  ruleName?: string;
}

/** A return of money that a rule has split paused it: nothing of it runs live until a person has looked. */
export function PausedNote({ pausedHref, ruleName }: PausedNoteProps) {
  return (
    <Note>
      <b>{ruleName ? `${ruleName} is paused.` : "This rule is paused."}</b> Money that it had split was sent
      back by the bank, so it does not run.{" "}
      <Link className="link" href={pausedHref}>
        See what came back
      </Link>
    </Note>
  );
}
