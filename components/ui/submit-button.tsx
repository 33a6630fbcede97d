"use client";

import type { ComponentProps } from "react";
import { useIsLive } from "@/components/ui/use-is-live";

interface SubmitButtonProps extends Omit<ComponentProps<"button">, "type"> {
  /** Its form is sent to a server action that needs no scripts. */
  worksWithoutScripts: boolean;
}

/**
 * Sends its form. Where scripts send it, it waits for them: pressed before, the browser would send the form by itself and
 * what was typed would be lost. Off, it is also no default button, so Enter sends nothing either.
 */
export function SubmitButton({ worksWithoutScripts, disabled, ...rest }: SubmitButtonProps) {
  const isLive = useIsLive();
  const isWaiting = !isLive && !worksWithoutScripts;
  return (
    <button
      {...rest}
      type="submit"
      disabled={disabled || isWaiting}
      data-waits={isWaiting ? "" : undefined}
    />
  );
}
