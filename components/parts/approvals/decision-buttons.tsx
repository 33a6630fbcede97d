import { FingerprintPattern } from "lucide-react";
import { Fragment, type ReactNode, useRef, useState } from "react";
import type { Means } from "@/components/act/confirming-means";
import { Button } from "@/components/ui/button";

interface DecisionButtonsProps {
  place: "panel" | "bar";
  /** What follows the press. */
  means: Means;
  approve: { label: string; isBusy: boolean; canPress: boolean; onPress: () => void };
  deny: { label: string; canPress: boolean; onPress: () => void };
  second: ReturnType<typeof useSecondPress>;
  /** What a second `A` does. */
  pressAgain: string;
  /** In the place of Approve, for who has signed; null: they have not. */
  withdraw: ReactNode;
}

/** Approve comes first in the panel; on phones Deny is on the left and narrower. */
export function DecisionButtons({
  place,
  means,
  approve,
  deny,
  second,
  pressAgain,
  withdraw,
}: DecisionButtonsProps) {
  const isPanel = place === "panel";
  const approveButton = withdraw ? (
    <Fragment key="withdraw">{withdraw}</Fragment>
  ) : (
    <Button
      key="approve"
      ref={second.buttons[place]}
      kind="primary"
      size={isPanel ? "large" : undefined}
      wide={isPanel}
      busy={approve.isBusy}
      disabled={!approve.canPress && !approve.isBusy}
      onClick={approve.onPress}
      onBlur={second.disarm}
    >
      {means === "PASSKEY" ? <FingerprintPattern /> : null}
      {approve.label}
      {isPanel ? <Key name="A" /> : null}
    </Button>
  );
  const denyButton = (
    <Button
      key="deny"
      kind="outlined"
      size={isPanel ? "large" : undefined}
      wide={isPanel}
      disabled={!deny.canPress}
      onClick={deny.onPress}
    >
      {deny.label}
      {isPanel ? <Key name="D" /> : null}
    </Button>
  );
  return (
    <>
      {isPanel ? [approveButton, denyButton] : [denyButton, approveButton]}
      <p role="status" className="mt-3 text-sm text-ink-2 empty:hidden max-sm:mt-0 max-sm:col-span-full">
        {second.isArmed ? pressAgain : null}
      </p>
    </>
  );
}

/** What the label already says to screen readers. */
function Key({ name }: { name: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{name}</kbd>
    </span>
  );
}

/** The first `A` moves the focus to Approve; a second one, while it has the focus, approves. */
export function useSecondPress(canApprove: boolean) {
  const panel = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLButtonElement>(null);
  const [isArmed, setIsArmed] = useState(false);
  // Numbers that changed since the first press were not meant by it.
  if (isArmed && !canApprove) setIsArmed(false);
  return {
    buttons: { panel, bar },
    isArmed,
    arm: () => {
      const shown = [panel.current, bar.current].find((button) => button?.checkVisibility());
      shown?.focus();
      setIsArmed(shown !== undefined && document.activeElement === shown);
    },
    /** Also where what was pressed turned out to be text, which may end with Enter. */
    disarm: () => {
      if (isArmed && document.activeElement instanceof HTMLElement) document.activeElement.blur();
      setIsArmed(false);
    },
  };
}
