import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface LeaveDialogProps {
  noun: "key" | "secret";
  /** What being without it means. */
  consequence: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks once before a page is left on which something was shown for the only time. */
export function LeaveDialog({ noun, consequence, onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title={`You have not copied the ${noun}`} onCancel={onStay}>
      <p className="ink2 dialog-l">It is not shown again. {consequence}</p>
      <div className="btns">
        <Button kind="quiet" onClick={onLeave}>
          I saved it another way
        </Button>
        <Button kind="primary" onClick={onStay}>
          Back to the {noun}
        </Button>
      </div>
    </Dialog>
  );
}
