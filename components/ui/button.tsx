import { cva } from "class-variance-authority";
import type { ComponentProps } from "react";
import { LiveButton } from "@/components/ui/live-button";

/** `primary` at most once on a page; `deny` only to refuse or destroy; `off` looks disabled. */
export type ButtonKind = "primary" | "outlined" | "quiet" | "deny" | "off";

interface ButtonLook {
  kind: ButtonKind;
  size?: "small" | "large";
  wide?: boolean;
}

const DISABLED =
  "not-data-waits:disabled:cursor-not-allowed not-data-waits:disabled:border-rule not-data-waits:disabled:bg-sunken not-data-waits:disabled:text-ink-3";

const button = cva(
  `button print:hidden inline-flex items-center justify-center gap-2 border rounded-md font-semibold whitespace-nowrap [transition:background_var(--dur-1),border-color_var(--dur-1)] max-sm:min-h-11 [&_svg]:-ml-0.5 ${DISABLED}`,
  {
    variants: {
      kind: {
        primary:
          "cursor-pointer border-transparent bg-teal text-on-teal hover:bg-teal-strong [&_kbd]:ml-1 [&_kbd]:border-on-teal/45 [&_kbd]:bg-transparent [&_kbd]:text-inherit",
        outlined: "cursor-pointer border-edge bg-surface hover:border-ink-3 hover:bg-hover [&_kbd]:ml-1",
        quiet: "cursor-pointer border-transparent text-ink-2 hover:bg-hover hover:text-ink",
        deny: "cursor-pointer border-[color-mix(in_srgb,var(--color-red)_60%,var(--color-surface))] bg-surface text-red hover:bg-red-soft",
        off: "cursor-not-allowed border-rule bg-sunken text-ink-3",
      },
      size: {
        small: "min-h-8 px-3 text-sm/5",
        medium: "min-h-10 text-base",
        large: "min-h-13 px-5 text-[16px]/5",
      },
      wide: { true: "w-full" },
    },
    compoundVariants: [
      { kind: ["primary", "outlined", "deny", "off"], size: "medium", className: "px-4" },
      { kind: "quiet", size: "medium", className: "px-2.5" },
    ],
    defaultVariants: { size: "medium" },
  },
);

/** The classes of a button, for links that act like one. */
export function buttonClass({ kind, size, wide = false }: ButtonLook): string {
  return button({ kind, size, wide });
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<"button">, "className"> {
  /** Busy: keeps focus and width, and ignores presses. */
  busy?: boolean;
  /** For `type="submit"` of a server action that needs no scripts. */
  worksWithoutScripts?: boolean;
}

/** Does not submit a form by default. */
export function Button({
  kind,
  size,
  wide,
  busy = false,
  onClick,
  type = "button",
  worksWithoutScripts = false,
  ...rest
}: ButtonProps) {
  const look = buttonClass({ kind, size, wide });
  const given = {
    ...rest,
    "data-kind": kind,
    className: busy ? `${look} opacity-85 aria-disabled:cursor-progress` : look,
    // aria-disabled, because `disabled` would drop the focus mid-action.
    "aria-disabled": busy || undefined,
    onClick: busy ? undefined : onClick,
  };
  return <LiveButton {...given} type={type} worksWithoutScripts={worksWithoutScripts} />;
}
