import type { EditorVersion } from "@/components/rules/editor/use-saving";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

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
      <p className="btns">
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
