import { Switch as Base } from "radix-ui";
import type { ComponentProps } from "react";
import { useIsLive } from "@/components/ui/live-button";

interface SwitchProps extends Omit<ComponentProps<typeof Base.Root>, "className" | "children" | "checked"> {
  isOn: boolean;
  /** Busy: keeps focus, and ignores presses. */
  busy?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Takes effect at once, unlike a checkbox, which its form sends. Labeled by `aria-label` or `aria-labelledby`. */
export function Switch({ isOn, busy = false, disabled, onSwitch, ...rest }: SwitchProps) {
  const isLive = useIsLive();
  return (
    <Base.Root
      {...rest}
      disabled={disabled || !isLive}
      data-waits={isLive || disabled ? undefined : ""}
      className="group relative h-6.5 w-11 flex-none cursor-pointer rounded-[13px] border-[1.5px] border-edge bg-surface p-0 aria-checked:border-teal aria-checked:bg-teal not-data-waits:disabled:cursor-not-allowed not-data-waits:disabled:opacity-60"
      checked={isOn}
      // aria-disabled, because `disabled` would drop the focus mid-action.
      aria-disabled={busy || undefined}
      onCheckedChange={busy ? undefined : onSwitch}
    >
      <Base.Thumb className="absolute top-[3.5px] left-1 size-4 rounded-full bg-edge transition-transform duration-(--dur-2) ease-gate group-aria-checked:translate-x-4.5 group-aria-checked:bg-on-teal" />
    </Base.Root>
  );
}
