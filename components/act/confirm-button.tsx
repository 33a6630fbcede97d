"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { type ActionOptions, useAction } from "@/components/act/use-action";

type DialogProps = Omit<
  ComponentProps<typeof ConfirmDialog>,
  "action" | "onAct" | "onRecoveryCode" | "onClose"
>;

interface ConfirmButtonProps<Input, Result extends { kind: string }> extends DialogProps {
  /** The button that opens the dialog. */
  button: (open: () => void) => ReactNode;
  act: Parameters<typeof useAction<Result, Input>>[0];
  input: Input;
  options?: Omit<ActionOptions<Input, Result>, "onDone">;
  /** The page is left afterwards: the dialog stays until then. */
  leaves?: boolean;
  /** Its proof may also be a recovery code. */
  takesRecoveryCode?: boolean;
}

/** One action behind a button and a dialog that states its consequences. */
export function ConfirmButton<Input, Result extends { kind: string }>({
  button,
  act,
  input,
  options,
  leaves = false,
  takesRecoveryCode = false,
  ...dialog
}: ConfirmButtonProps<Input, Result>) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const acting = useAction(act, { ...options, ...(!leaves && { onDone: close }) });
  return (
    <>
      {button(() => setIsOpen(true))}
      {isOpen ? (
        <ConfirmDialog
          {...dialog}
          action={acting}
          onAct={() => acting.run(input)}
          onRecoveryCode={takesRecoveryCode ? () => acting.runWithRecoveryCode(input) : null}
          onClose={close}
        />
      ) : null}
    </>
  );
}
