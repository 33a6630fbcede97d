"use client";

import { type ComponentProps, useSyncExternalStore } from "react";

interface LiveButtonProps extends ComponentProps<"button"> {
  /** For `type="submit"` of a server action that needs no scripts. */
  worksWithoutScripts?: boolean;
}

/**
 * A button whose press scripts handle, disabled until hydration: an earlier press would be lost without a word, or submit
 * a form natively and lose its input. Disabled, it is not a form's default button either, so Enter does nothing.
 */
export function LiveButton({
  worksWithoutScripts = false,
  disabled,
  type = "button",
  ...rest
}: LiveButtonProps) {
  const isLive = useIsLive();
  const isWaiting = !isLive && !worksWithoutScripts && !disabled;
  return (
    <button type={type} disabled={disabled || isWaiting} data-waits={isWaiting ? "" : undefined} {...rest} />
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
