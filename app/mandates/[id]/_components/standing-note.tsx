import { formatDate } from "@/components/time/format-instant";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { UsedMandateView } from "@/lib/views/mandates/read-mandate-page";
import { dateWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** Why nothing can move under it now, and what follows; nothing while it is in use. */
export function StandingNote({ view }: { view: UsedMandateView }) {
  const words = wordsOf(view);
  if (words === null) return null;
  const { standing } = view;
  const isOver =
    ["OVER", "ENDED", "DENIED", "EXPIRED"].includes(standing.kind) ||
    (standing.kind === "USED_UP" && standing.isForGood);
  return (
    <div className="mb-6 max-w-[74ch]">
      <Note>
        {words}
        {isOver && view.renewHref !== null && view.viewer.canDecide ? (
          <>
            {" "}
            <Link className={LINK} href={view.renewHref}>
              Write a new mandate
            </Link>
          </>
        ) : null}
      </Note>
    </div>
  );
}

const WAITS = "Until then each proposal waits for a person.";

function wordsOf(view: UsedMandateView): string | null {
  const { standing, key, time, onItsWayInCents, until } = view;
  const onItsWay =
    onItsWayInCents > 0 ? ` ${formatCents(onItsWayInCents)} is on its way and still arrives.` : "";
  switch (standing.kind) {
    case "WAITING":
    case "IN_USE":
      return null;
    case "NOT_YET":
      return `It begins on ${formatDate(standing.from, time)}. ${WAITS}`;
    case "USED_UP":
      if (standing.isForGood)
        return `Everything it allows was used. From now on each proposal of ${key.name} waits.`;
      return standing.until === null
        ? `Its 30 days are used up; room comes back as each use becomes 30 days old. ${WAITS}`
        : `Used up until ${formatDate(standing.until, time)}. ${WAITS}`;
    case "STOPPED":
      return stoppedWords(view, standing.because);
    case "OVER":
      return `Its last day was ${dateWords(until)}. Each proposal of ${key.name} waits again.${onItsWay}`;
    case "ENDED":
      return `${endedWords(view)} Each proposal of ${key.name} waits again.${onItsWay}`;
    case "DENIED":
      return view.endReason === "PROGRAM"
        ? `${key.name} withdrew it before it was signed. Nothing moved under it.`
        : `${view.endedByName ?? "Someone"} declined it. Nothing moved under it; ${key.name} may ask again.`;
    case "EXPIRED":
      return "Nobody signed it in time. Nothing moved under it.";
  }
}

function stoppedWords(
  { payeeNames, sourceName, keepsInCents }: UsedMandateView,
  because: "SIGNATURES" | "DESTINATION_CHANGED" | "BALANCE" | "GATES",
): string {
  switch (because) {
    case "SIGNATURES":
      return `Who must approve was changed, or someone who signed no longer decides. Nothing moves under it until it is signed again. ${WAITS}`;
    case "DESTINATION_CHANGED":
      return `The bank account of ${joinWords(payeeNames, "or") || "a destination"} is another one than was signed for. Nothing goes there until it is signed again. ${WAITS}`;
    case "BALANCE":
      return keepsInCents === null
        ? `${sourceName} holds too little. It goes on when money arrives.`
        : `${sourceName} must keep ${formatCents(keepsInCents)}. It goes on when more money arrives.`;
    case "GATES":
      return "All gates are closed, so nothing moves. It goes on when they open.";
  }
}

function endedWords({ endReason, endedByName, key }: UsedMandateView): string {
  switch (endReason) {
    case "PROGRAM":
      return `${key.name} ended it itself.`;
    case "KEY_ENDED":
      return `It ended with its key.`;
    default:
      return `${endedByName ?? "A former member"} ended it.`;
  }
}
