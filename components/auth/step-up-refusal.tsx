import { Note } from "@/components/ui/note";

interface StepUpRefusalProps {
  message: string | null;
  /** For somebody whose passkey is not at hand; null where the act takes no proof, or a code would not help. */
  onRecoveryCode: (() => void) | null;
}

/** Why something that takes a proof was not done, said to screen readers when it comes. */
export function StepUpRefusal({ message, onRecoveryCode }: StepUpRefusalProps) {
  return (
    <div role="status">
      {message === null ? null : (
        <Note tone="red">
          {message}{" "}
          {onRecoveryCode ? (
            <button className="link lb" type="button" onClick={onRecoveryCode}>
              Use a recovery code
            </button>
          ) : null}
        </Note>
      )}
    </div>
  );
}
