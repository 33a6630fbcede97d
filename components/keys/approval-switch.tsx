import { useId } from "react";

interface ApprovalSwitchProps {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  /** What waits for the approval: "money moves". */
  before: string;
}

/** Whether a person is asked each time. On unless somebody switches it off. */
export function ApprovalSwitch({ isOn, onToggle, before }: ApprovalSwitchProps) {
  const id = useId();
  return (
    <div className="appr">
      <button
        className="sw"
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        onClick={() => onToggle(!isOn)}
      />
      <div>
        <b id={`${id}-label`}>Ask for approval each time</b>
        <p className="meta" id={`${id}-about`}>
          An owner or co-owner must approve before {before}. Set now; it cannot be changed later.
        </p>
      </div>
    </div>
  );
}
