"use client";

import { type ComponentProps, useSyncExternalStore } from "react";

interface SubmitButtonProps extends Omit<ComponentProps<"button">, "type"> {
  worksWithoutScripts: boolean;
}

/**
 * Disabled until hydration if scripts handle the form: an earlier press would submit it natively and lose the input.
 * Disabled, it is not the default button either, so Enter does nothing.
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

/** True after hydration. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
