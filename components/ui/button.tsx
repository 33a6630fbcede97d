import type { ComponentProps } from "react";
import { SubmitButton } from "@/components/ui/submit-button";

/** `primary` at most once on a page; `deny` only where something is refused. */
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
  /** At work: it keeps focus and width, and ignores further presses. */
  busy?: boolean;
  /** Of `type="submit"`: its form is sent to a server action that needs no scripts. */
  worksWithoutScripts?: boolean;
}

/** A button that never submits a form unless told to. */
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
    // aria-disabled, not disabled: a disabled button would lose focus in the middle of the act.
    "aria-disabled": busy || undefined,
    onClick: busy ? undefined : onClick,
  };
  if (type === "submit") return <SubmitButton {...given} worksWithoutScripts={worksWithoutScripts} />;
  return <button {...given} type={type} />;
}
