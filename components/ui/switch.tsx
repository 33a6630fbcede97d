import { Switch as Base } from "radix-ui";
import type { ComponentProps } from "react";

interface SwitchProps extends Omit<ComponentProps<typeof Base.Root>, "className" | "children" | "checked"> {
  isOn: boolean;
  /** Busy: keeps focus, and ignores presses. */
  busy?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Takes effect at once, unlike a checkbox, which its form sends. Labelled by `aria-label` or `aria-labelledby`. */
export function Switch({ isOn, busy = false, onSwitch, ...rest }: SwitchProps) {
  return (
    <Base.Root
      {...rest}
      className="group relative h-6.5 w-11 flex-none cursor-pointer rounded-[13px] border-[1.5px] border-edge bg-surface p-0 aria-checked:border-teal aria-checked:bg-teal disabled:cursor-not-allowed disabled:opacity-60"
      checked={isOn}
      // aria-disabled, because `disabled` would drop the focus mid-action.
      aria-disabled={busy || undefined}
      onCheckedChange={busy ? undefined : onSwitch}
    >
      <Base.Thumb className="absolute top-[3.5px] left-1 size-4 rounded-full bg-edge transition-transform duration-(--dur-2) ease-gate group-aria-checked:translate-x-4.5 group-aria-checked:bg-on-teal" />
    </Base.Root>
  );
}
