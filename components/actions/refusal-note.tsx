import { Note } from "@/components/ui/note";
import { LINK_BUTTON } from "@/components/ui/text-styles";

interface RefusalNoteProps {
  message: string | null;
  /** For an unavailable passkey; null where no step-up is needed or a code would not help. */
  onRecoveryCode?: (() => void) | null;
}

/** Why an action was not done, announced to screen readers. */
export function RefusalNote({ message, onRecoveryCode = null }: RefusalNoteProps) {
  return (
    <div role="status">
      {message === null ? null : (
        <Note tone="red">
          {message}{" "}
          {onRecoveryCode ? (
            <button className={LINK_BUTTON} type="button" onClick={onRecoveryCode}>
              Use a recovery code
            </button>
          ) : null}
        </Note>
      )}
    </div>
  );
}
