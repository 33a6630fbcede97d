"use client";

import { type ComponentProps, useSyncExternalStore } from "react";

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

const never = () => () => {};

/** Whether the scripts of this page have taken over: false on the server, and until then in the browser. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
