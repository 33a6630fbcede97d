import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** What is wrong with the control above; announced, and found by the focus after a refused submit. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span
      className="flex items-center gap-1.5 text-[13px] text-red [&_svg]:size-4"
      id={id}
      role="alert"
      data-error
    >
      <CircleAlert />
      {children}
    </span>
  );
}
