import type { ComponentProps } from "react";
import { SubmitButton } from "@/components/ui/submit-button";

/** `primary` at most once on a page; `deny` only to refuse or destroy. */
export type ButtonKind = "primary" | "outlined" | "quiet" | "deny";

interface ButtonLook {
  kind: ButtonKind;
  size?: "small" | "large";
  wide?: boolean;
}

const KIND_CLASS: Record<ButtonKind, string> = {
  primary: "btn-p",
  outlined: "btn-s",
  quiet: "btn-q",
  deny: "btn-d",
};

/** The classes of a button, for links that act like one. */
export function buttonClass({ kind, size, wide = false }: ButtonLook): string {
  const classes = ["btn", KIND_CLASS[kind]];
  if (size === "small") classes.push("btn-sm");
  if (size === "large") classes.push("btn-lg");
  if (wide) classes.push("btn-w");
  return classes.join(" ");
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
  const given = {
    ...rest,
    className: busy ? `${buttonClass({ kind, size, wide })} is-busy` : buttonClass({ kind, size, wide }),
    // aria-disabled, because `disabled` would drop the focus mid-action.
    "aria-disabled": busy || undefined,
    onClick: busy ? undefined : onClick,
  };
  if (type === "submit") return <SubmitButton {...given} worksWithoutScripts={worksWithoutScripts} />;
  return <button {...given} type={type} />;
}
