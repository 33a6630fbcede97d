import type { ComponentProps } from "react";

interface SwitchProps
  extends Omit<ComponentProps<"button">, "className" | "type" | "role" | "children" | "onClick"> {
  isOn: boolean;
  /** Busy: keeps focus, and ignores presses. */
  busy?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Takes effect at once, unlike a checkbox, which its form sends. Labelled by `aria-label` or `aria-labelledby`. */
export function Switch({ isOn, busy = false, onSwitch, ...rest }: SwitchProps) {
  return (
    <button
      {...rest}
      className="sw"
      type="button"
      role="switch"
      aria-checked={isOn}
      // aria-disabled, because `disabled` would drop the focus mid-action.
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : () => onSwitch(!isOn)}
    />
  );
}
