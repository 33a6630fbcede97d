import { LiveButton } from "@/components/ui/live-button";
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
            <LiveButton className={LINK_BUTTON} onClick={onRecoveryCode}>
              Use a recovery code
            </LiveButton>
          ) : null}
        </Note>
      )}
    </div>
  );
}
