import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK } from "@/components/ui/text-styles";
import type { WaitingChangeView } from "@/lib/views/policies/list-waiting-changes-of";

interface WaitingChangeNotesProps {
  changes: readonly WaitingChangeView[];
  /** Whether the reader could ask for another one here. */
  canAsk: boolean;
}

/** On the page of a setting: what of it waits for signatures, so that nobody asks twice for the same. */
export function WaitingChangeNotes({ changes, canAsk }: WaitingChangeNotesProps) {
  if (changes.length === 0) return null;
  return (
    <div className="mt-4 grid max-w-[68ch] gap-2">
      {changes.map((change) => (
        <Note key={change.id}>
          <b className="wrap-anywhere">{change.subject}</b> {waitsWords(change)}{" "}
          {canAsk ? REPLACED_BY[change.what] : null}
          <span className="mt-1 block">
            <Link className={LINK} href={change.href}>
              {change.maySign ? "Review and sign" : "See who has signed"}
            </Link>
          </span>
        </Note>
      ))}
    </div>
  );
}

/** `waits for Ana or Ben to sign.` */
export function waitsWords({ waitsFor, maySign }: Pick<WaitingChangeView, "waitsFor" | "maySign">): string {
  if (waitsFor !== null) return `waits for ${waitsFor} to sign.`;
  return `waits for a signature${maySign ? ", which can be yours" : ""}.`;
}

const REPLACED_BY: Readonly<Record<WaitingChangeView["what"], string | null>> = {
  ACCOUNT_FLOOR: "Saving another floor replaces this request.",
  NEW_POD_FLOOR: "Saving another floor replaces this request.",
  OUTGOING_CAP: "Saving another cap replaces this request.",
  KEY_CAP: "Another cap replaces this request.",
  PAYEE_COOL_OFF: "Saving another cool-off replaces this request.",
  HOOK_APPROVAL: "A new secret ends this request.",
  NEW_KEY: null,
  REPLACED_KEY: "Replacing it again ends this request and its secret.",
};
