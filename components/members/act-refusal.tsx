import { Note } from "@/components/ui/note";

interface ActRefusalProps {
  message: string | null;
  /** For somebody whose passkey is not at hand; null where a code would not help. */
  onRecoveryCode: (() => void) | null;
}

/** Why an act was refused, said to screen readers when it comes. */
export function ActRefusal({ message, onRecoveryCode }: ActRefusalProps) {
  return (
    <div role="status">
      {message ? (
        <Note tone="red">
          {message}{" "}
          {onRecoveryCode ? (
            <button className="link lb" type="button" onClick={onRecoveryCode}>
              Use a recovery code
            </button>
          ) : null}
        </Note>
      ) : null}
    </div>
  );
}
