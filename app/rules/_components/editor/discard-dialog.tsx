import type { EditorVersion } from "@/app/rules/_components/editor/use-saving";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { EditedRuleView } from "@/lib/views/rules/read-rule-editor";

interface DiscardDialogProps {
  isNew: boolean;
  version: EditorVersion;
  onKeep: () => void;
}

/** Discarding a draft cannot be undone. */
export function DiscardDialog({ isNew, version, onKeep }: DiscardDialogProps) {
  return (
    <Dialog title="Discard this draft?" onCancel={onKeep}>
      <p>
        {isNew ? "Your draft will be lost." : "Your changes will be lost. The rule itself does not change."}
      </p>
      <p className={DIALOG_BUTTONS}>
        <Button kind="deny" busy={version.isDiscarding} onClick={version.discard}>
          Discard draft
        </Button>
        <Button kind="quiet" onClick={onKeep}>
          Cancel
        </Button>
      </p>
    </Dialog>
  );
}

interface MeanwhileProps {
  rule: EditedRuleView | null;
  baseVersion: number | null;
  onRebase: (version: number) => void;
  version: EditorVersion;
}

/** Someone saved a version since this draft began: the member decides which one to keep. */
export function Meanwhile({ rule, baseVersion, onRebase, version }: MeanwhileProps) {
  if (!rule || baseVersion === null) return null;
  return (
    <Note>
      <p>
        {rule.latestByName} saved version {rule.latestVersion} since this draft began from version{" "}
        {baseVersion}. Saving yours replaces it.
      </p>
      <p className="mt-3">
        <Button kind="outlined" size="small" onClick={() => onRebase(rule.latestVersion)}>
          Keep mine
        </Button>
        <Button kind="quiet" size="small" onClick={version.discard}>
          Discard mine
        </Button>
      </p>
    </Note>
  );
}
