import { Note } from "@/components/ui/note";

interface CardRefusalProps {
  message: string | null;
  /** Null: this act takes no proof, or no code counts for it. */
  onRecoveryCode: (() => void) | null;
}

/** Why it was not done, and the way for whoever lost their passkey. */
export function CardRefusal({ message, onRecoveryCode }: CardRefusalProps) {
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
